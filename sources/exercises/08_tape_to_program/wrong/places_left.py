# replaces: forward
# loses: 6
# hint: The places {a} and {b} are still there: format() fills them.


def forward_lines(tape):
    return [f"{name} = {TABLE[operation][0]}" for name, operation, inputs in tape]
