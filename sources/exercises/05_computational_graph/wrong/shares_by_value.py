# replaces: backward
# loses: 3
# hint: Two nodes may hold the same number, and then they share one entry of your dict. Keep what belongs to a
#   node under the node itself.


def backward(order):
    share = {node.value: 0.0 for node in order}
    share[order[-1].value] = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            share[parent.value] += share[node.value] * partial
    for node in order:
        node.grad += share[node.value]
