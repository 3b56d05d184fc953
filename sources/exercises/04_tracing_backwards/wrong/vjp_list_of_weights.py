# replaces: vjp
# loses: 3
# hint: backward_pass wants a dict, from names of outputs to weights. You gave it the list w.


def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    adjoint = backward_pass(tape, w)
    return [adjoint[name] for name in inputs]
