# replaces: vjp
# loses: 3
# hint: Each adjoint was multiplied by the value of its input once more. The adjoint is the derivative already.


def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    weights = dict.fromkeys(outputs, 0.0)
    for name, weight in zip(outputs, w, strict=True):
        weights[name] += weight
    adjoint = backward_pass(tape, weights)
    return [adjoint[name] * value for name, value in zip(inputs, x)]
