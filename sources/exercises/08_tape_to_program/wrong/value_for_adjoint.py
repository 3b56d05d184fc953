# replaces: reverse
# loses: 4
# hint: The partial derivative was multiplied by a value. It is the ADJOINT of the step that is passed on: name_bar.


def reverse_lines(tape):
    lines, written = [f"{tape[-1][0]}_bar = 1.0"], set()
    for name, operation, inputs in reversed(tape):
        for x, partial in zip(inputs, TABLE[operation][1]):
            if x.isidentifier():
                slope = partial.format(**dict(zip("ab", inputs)), v=name)
                lines.append(f"{x}_bar {'+=' if x in written else '='} {x} * ({slope})")
                written.add(x)
    return lines
