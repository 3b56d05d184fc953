# replaces: forward
# loses: 6
# hint: The forward lines follow the tape from its first step to its last.


def forward_lines(tape):
    lines = []
    for name, operation, inputs in reversed(tape):
        expression, _ = TABLE[operation]
        lines.append(f"{name} = " + expression.format(**dict(zip("ab", inputs)), v=name))
    return lines
