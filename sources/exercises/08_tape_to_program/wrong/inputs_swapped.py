# replaces: forward
# loses: 4
# hint: The inputs have changed places: {a} is the first one and {b} the second. For a product that makes no
#   difference, for a difference it does.


def forward_lines(tape):
    lines = []
    for name, operation, inputs in tape:
        expression, _ = TABLE[operation]
        lines.append(f"{name} = " + expression.format(**dict(zip("ab", reversed(inputs))), v=name))
    return lines
