# replaces: forward
# loses: 4
# hint: The inputs change places: {a} is the first one and {b} the second. For a product nobody would notice; a difference does.


def forward_lines(tape):
    lines = []
    for name, operation, inputs in tape:
        expression, _ = TABLE[operation]
        lines.append(f"{name} = " + expression.format(**dict(zip("ab", reversed(inputs))), v=name))
    return lines
