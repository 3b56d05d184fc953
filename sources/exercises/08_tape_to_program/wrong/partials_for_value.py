# replaces: forward
# loses: 6
# hint: A row of TABLE is (value, partial derivatives). You took the second, where the first was wanted.


def forward_lines(tape):
    lines = []
    for name, operation, inputs in tape:
        _, expressions = TABLE[operation]
        lines.append(f"{name} = " + expressions[0].format(**dict(zip("ab", inputs)), v=name))
    return lines
