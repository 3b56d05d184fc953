# replaces: backward
# loses: 6
# hint: Every parent got the same partial, the first. Each has one of its own, in the order of the parents.


def backward(order):
    share = {n: 0.0 for n in order}
    share[order[-1]] = 1.0
    for n in reversed(order):
        n.grad += share[n]
        for p in n.parents:
            share[p] += share[n] * n.partials[0]
