# replaces: backward
# loses: 3
# hint: You worked the partials out again, as if every node were a product: its value divided by the parent's.
#   In a sum they are 1. The node has kept its partials: use them.


def backward(order):
    share = dict.fromkeys(order, 0.0)
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent in node.parents:
            share[parent] += share[node] * node.value / parent.value
    for node in order:
        node.grad += share[node]
