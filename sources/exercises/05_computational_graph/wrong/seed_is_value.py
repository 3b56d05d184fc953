# replaces: backward
# loses: 6
# hint: You start with the output's value. Start with the derivative of the output with respect to itself, which
#   does not depend on its value.


def backward(order):
    share = dict.fromkeys(order, 0.0)
    share[order[-1]] = order[-1].value
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            share[parent] += share[node] * partial
    for node in order:
        node.grad += share[node]
