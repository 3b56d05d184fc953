# replaces: forward
# loses: 4
# hint: You number the lines v1, v2, ... by yourself. Each step says what its result is called: later steps
#   ask for it under that name.


def forward_lines(tape):
    lines = []
    for k, (name, operation, inputs) in enumerate(tape, 1):
        lines.append(f"v{k} = " + TABLE[operation][0].format(a=inputs[0], b=inputs[-1], v=name))
    return lines
