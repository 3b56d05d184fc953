# replaces: forward
# loses: 2
# hint: The lines differ in their spaces: one in front of the equals sign and one behind it.


def forward_lines(tape):
    lines = []
    for name, operation, inputs in tape:
        expression, _ = TABLE[operation]
        lines.append(f"{name}=" + expression.format(**dict(zip("ab", inputs)), v=name))
    return lines
