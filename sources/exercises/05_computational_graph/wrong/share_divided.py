# replaces: backward
# loses: 6
# hint: Each parent got only a part of what it should: the share was divided among the parents. Both factors of a
#   product get the whole share, times their partial.


def backward(order):
    share = {n: 0.0 for n in order}
    share[order[-1]] = 1.0
    for n in reversed(order):
        n.grad += share[n]
        for p, d in zip(n.parents, n.partials):
            share[p] += share[n] * d / len(n.parents)
