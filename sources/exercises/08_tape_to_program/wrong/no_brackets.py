# replaces: reverse
# loses: 2
# hint: Without brackets only the first part of the partial derivative is multiplied: v1_bar * 1 - v1 * v1. Text
#   does not know what belongs together.


def reverse_lines(tape):
    lines, written = [f"{tape[-1][0]}_bar = 1.0"], set()
    for name, operation, inputs in reversed(tape):
        for x, partial in zip(inputs, TABLE[operation][1]):
            if x.isidentifier():
                slope = partial.format(**dict(zip("ab", inputs)), v=name)
                lines.append(f"{x}_bar {'+=' if x in written else '='} {name}_bar * {slope}")
                written.add(x)
    return lines
