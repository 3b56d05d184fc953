# replaces: vjp
# loses: 3
# hint: You start from the first output alone. The weights say how much each output counts, all in one backward
#   pass.


def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    adjoint = backward_pass(tape, {outputs[0]: 1.0})
    return [adjoint[name] for name in inputs]
