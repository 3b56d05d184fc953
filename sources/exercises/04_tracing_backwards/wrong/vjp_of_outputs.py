# replaces: vjp
# loses: 3
# hint: You read off the outputs: their adjoints are the weights that you put in. The derivatives stand at the
#   inputs.


def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    weights = dict.fromkeys(outputs, 0.0)
    for name, weight in zip(outputs, w, strict=True):
        weights[name] += weight
    adjoint = backward_pass(tape, weights)
    return [adjoint[name] for name in outputs]
