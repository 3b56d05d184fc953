# replaces: backward
# loses: 6
# hint: The partials have changed places: the first one belongs to the first parent.


def backward(order):
    share = dict.fromkeys(order, 0.0)  # of this pass alone; .grad may hold something from an earlier one
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, reversed(node.partials)):
            share[parent] += share[node] * partial
    for node in order:
        node.grad += share[node]
