# replaces: walk
# loses: 8
# hint: A row's adjoint is set anew when its turn comes, and what the rows below had passed on to it is lost. Put
#   the weights in once, before the loop; then only add.


def backward_pass(tape, weights):
    bar = {name: 0.0 for name, _ in tape}
    for name, parts in reversed(tape):
        bar[name] = weights.get(name, 0.0)
        for n, p in parts:
            bar[n] += p * bar[name]
    return bar
