# replaces: vjp
# loses: 3
# hint: You walk back from the first output alone. The weights tell how much each output counts, all in
#   one walk.


def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    adjoint = backward_pass(tape, {outputs[0]: 1.0})
    return [adjoint[name] for name in inputs]
