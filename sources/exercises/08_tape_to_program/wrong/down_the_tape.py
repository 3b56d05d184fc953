# replaces: reverse
# loses: 4
# hint: The steps come in the order of the tape. But a step can hand on its adjoint only when it has one: from the last step to the
#   first.


def reverse_lines(tape):
    lines, written = [f"{tape[-1][0]}_bar = 1.0"], set()
    for name, operation, inputs in tape:
        for x, partial in zip(inputs, TABLE[operation][1]):
            if x.isidentifier():
                slope = partial.format(**dict(zip("ab", inputs)), v=name)
                lines.append(f"{x}_bar {'+=' if x in written else '='} {name}_bar * ({slope})")
                written.add(x)
    return lines
