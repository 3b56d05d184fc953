# replaces: walk
# loses: 3
# hint: Only the inputs are in your dict. The adjoint of EVERY row was asked for.


def backward_pass(tape, weights):
    bar = {name: weights.get(name, 0.0) for name, _ in tape}
    for name, parts in tape[::-1]:
        for n, p in parts:
            bar[n] += p * bar[name]
    return {name: bar[name] for name, parts in tape if not parts}
