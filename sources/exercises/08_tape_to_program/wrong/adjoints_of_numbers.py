# replaces: reverse
# loses: 2
# hint: A number such as 3.0 is no name, and `3.0_bar` is not Python. Nobody asks for the adjoint of a constant:
#   leave these lines out.


def reverse_lines(tape):
    lines, written = [f"{tape[-1][0]}_bar = 1.0"], set()
    for name, operation, inputs in reversed(tape):
        for x, partial in zip(inputs, TABLE[operation][1]):
            slope = partial.format(**dict(zip("ab", inputs)), v=name)
            lines.append(f"{x}_bar {'+=' if x in written else '='} {name}_bar * ({slope})")
            written.add(x)
    return lines
