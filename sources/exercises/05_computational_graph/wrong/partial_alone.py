# replaces: backward
# loses: 6
# hint: Each parent gets the partial alone. What the node itself received is missing as a factor: that is the chain
#   rule.


def backward(order):
    share = dict.fromkeys(order, 0.0)  # of this pass alone; .grad may hold something from an earlier one
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            share[parent] += partial
    for node in order:
        node.grad += share[node]
