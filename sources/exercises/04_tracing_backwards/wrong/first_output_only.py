# replaces: vjp
# loses: 3
# hint: Only the first output takes part. Every output starts with its own weight.


def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    adjoint = backward_pass(tape, {outputs[0]: w[0]})
    return [adjoint[name] for name in inputs]
