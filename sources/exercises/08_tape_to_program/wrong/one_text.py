# replaces: forward
# loses: 6
# hint: You return all lines as one text. A list of lines was asked for: lines that are to be crossed out one by one must be apart.


def forward_lines(tape):
    return "\n".join(
        f"{name} = " + TABLE[operation][0].format(**dict(zip("ab", inputs)), v=name) for name, operation, inputs in tape
    )
