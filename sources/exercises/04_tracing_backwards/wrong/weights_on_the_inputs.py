# replaces: vjp
# loses: 3
# hint: The weights w belong to the outputs: they are where the backward pass starts. You started with 1 at
#   all outputs, and multiplied the inputs' adjoints by w afterwards.


def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    adjoint = backward_pass(tape, dict.fromkeys(outputs, 1.0))
    return [adjoint[name] * weight for name, weight in zip(inputs, w)]
