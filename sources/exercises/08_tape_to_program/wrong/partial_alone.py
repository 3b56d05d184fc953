# replaces: reverse
# loses: 4
# hint: An input gets the partial derivative, but not the adjoint of the step. The chain rule multiplies the two.


def reverse_lines(tape):
    lines, written = [f"{tape[-1][0]}_bar = 1.0"], set()
    for name, operation, inputs in reversed(tape):
        for x, partial in zip(inputs, TABLE[operation][1]):
            if x.isidentifier():
                slope = partial.format(**dict(zip("ab", inputs)), v=name)
                lines.append(f"{x}_bar {'+=' if x in written else '='} {slope}")
                written.add(x)
    return lines
