# replaces: vjp
# loses: 3
# hint: You return the adjoints of the whole tape. A number for each INPUT was asked for: record says how they
#   are called.


def vjp(f, x, w):
    tape, inputs, outputs = record(f, x)
    weights = {}
    for name, a in zip(outputs, w):
        weights[name] = weights.get(name, 0.0) + a
    return list(backward_pass(tape, weights).values())
