# replaces: vjp
# loses: 3
# hint: The weights do not count: every output starts with 1. Output k starts with w[k].


def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    weights = dict.fromkeys(outputs, 0.0)
    for name, weight in zip(outputs, w, strict=True):
        weights[name] += 1.0
    adjoint = backward_pass(tape, weights)
    return [adjoint[name] for name in inputs]
