# replaces: vjp
# loses: 3
# hint: The weights go with the wrong outputs: the first weight belongs to the first output.


def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    adjoint = backward_pass(tape, dict(zip(reversed(outputs), w)))
    return [adjoint[name] for name in inputs]
