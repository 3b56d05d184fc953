# replaces: backward
# loses: 3
# hint: Where two shares arrive, you keep the larger one. They are added: what comes along one path does not
#   make up for the other.


def backward(order):
    share = dict.fromkeys(order, 0.0)
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            share[parent] = max(share[parent], share[node] * partial, key=abs)
    for node in order:
        node.grad += share[node]
