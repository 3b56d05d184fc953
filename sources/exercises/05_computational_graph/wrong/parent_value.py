# replaces: backward
# loses: 6
# hint: You multiply by the parent's value. The factor is the partial, which is the value of the OTHER parent in a
#   product.


def backward(order):
    share = dict.fromkeys(order, 0.0)  # of this pass alone; .grad may hold something from an earlier one
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            share[parent] += share[node] * parent.value
    for node in order:
        node.grad += share[node]
