# replaces: vjp
# loses: 3
# hint: The adjoints of all rows came back. Asked for is a list with those of the inputs: record() gives you their
#   names.


def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    weights = dict.fromkeys(outputs, 0.0)
    for name, weight in zip(outputs, w, strict=True):
        weights[name] += weight
    adjoint = backward_pass(tape, weights)
    return adjoint
