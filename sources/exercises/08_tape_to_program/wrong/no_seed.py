# replaces: reverse
# loses: 4
# hint: A line uses the adjoint of the output, and nobody has written it: the seed. The derivative of the output
#   with respect to itself is 1.


def reverse_lines(tape):
    lines, written = [], set()
    for name, operation, inputs in reversed(tape):
        for x, partial in zip(inputs, TABLE[operation][1]):
            if x.isidentifier():
                slope = partial.format(**dict(zip("ab", inputs)), v=name)
                lines.append(f"{x}_bar {'+=' if x in written else '='} {name}_bar * ({slope})")
                written.add(x)
    return lines
