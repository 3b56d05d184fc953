# replaces: backward
# loses: 6
# hint: You hand each parent the whole share of the node. k moves d by c = 12 for each step of its own: which
#   number of the node says so?


def backward(order):
    share = dict.fromkeys(order, 0.0)
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent in node.parents:
            share[parent] += share[node]
    for node in order:
        node.grad += share[node]
