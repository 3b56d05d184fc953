# replaces: forward
# loses: 6
# hint: You wrote the name of the operation. TABLE says how it looks in Python: "{a} * {b}" for mul.


def forward_lines(tape):
    return [f"{name} = {operation}({', '.join(inputs)})" for name, operation, inputs in tape]
