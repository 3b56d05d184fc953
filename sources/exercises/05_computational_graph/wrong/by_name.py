# replaces: backward
# loses: 2
# hint: Two nodes with the same name share one entry of your dict, and one sum. A name is only a label: keep
#   what belongs to a node under the node itself.


def backward(order):
    share = dict.fromkeys((node.name for node in order), 0.0)
    share[order[-1].name] = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            share[parent.name] += share[node.name] * partial
    for node in order:
        node.grad += share[node.name]
