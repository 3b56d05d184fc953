# replaces: backward
# loses: 3
# hint: A node may have the same parent twice, as a + a has. In a dict from parents to partials the second
#   replaces the first, and one share is lost.


def backward(order):
    share = dict.fromkeys(order, 0.0)
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent, partial in dict(zip(node.parents, node.partials)).items():
            share[parent] += share[node] * partial
    for node in order:
        node.grad += share[node]
