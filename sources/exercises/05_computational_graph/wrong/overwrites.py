# replaces: backward
# loses: 3
# hint: You overwrite the share of c instead of adding to it. Two paths lead from c to e; what came along one of
#   them is lost.


def backward(order):
    share = dict.fromkeys(order, 0.0)
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            share[parent] = share[node] * partial
    for node in order:
        node.grad += share[node]
