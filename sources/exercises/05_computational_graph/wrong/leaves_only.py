# replaces: backward
# loses: 5
# hint: Only the inputs get a grad. Every node of the order has one: c, in the middle, and d, the output.


def backward(order):
    share = dict.fromkeys(order, 0.0)  # of this pass alone; .grad may hold something from an earlier one
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            share[parent] += share[node] * partial
    for node in order:
        if not node.parents:
            node.grad += share[node]
