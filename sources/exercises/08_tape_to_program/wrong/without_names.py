# replaces: forward
# loses: 6
# hint: These are the expressions alone. A line of a program also says where the result goes: the name of the step
#   and an equals sign.


def forward_lines(tape):
    return [TABLE[operation][0].format(**dict(zip("ab", inputs)), v=name) for name, operation, inputs in tape]
