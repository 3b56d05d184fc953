# replaces: backward
# loses: 6
# hint: Every node starts with 1. Only the output does; all others start with 0.


def backward(order):
    share = dict.fromkeys(order, 1.0)  # of this pass alone; .grad may hold something from an earlier one
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            share[parent] += share[node] * partial
    for node in order:
        node.grad += share[node]
