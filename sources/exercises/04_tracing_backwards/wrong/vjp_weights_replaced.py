# replaces: vjp
# loses: 3
# hint: A value that is returned twice has two weights, and in your dict the second replaces the first. How much
#   does such a value count in all?


def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    adjoint = backward_pass(tape, dict(zip(outputs, w)))
    return [adjoint[name] for name in inputs]
