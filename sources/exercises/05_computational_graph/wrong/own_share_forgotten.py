# replaces: backward
# loses: 5
# hint: The nodes between have no grad, or the output has none. Each node keeps its share: the grad of the output is
#   1, and inner nodes have grads, too.


def backward(order):
    share = dict.fromkeys(order, 0.0)  # of this pass alone; .grad may hold something from an earlier one
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            share[parent] += share[node] * partial
    for node in order[:-1]:
        node.grad += share[node]
