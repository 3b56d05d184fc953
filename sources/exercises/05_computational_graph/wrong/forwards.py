# replaces: backward
# loses: 6
# hint: You go from the inputs to the output. When you come to c it has nothing yet to pass on: its share arrives
#   from d, later. In which order does every node receive all its shares before it passes them on?


def backward(order):
    share = dict.fromkeys(order, 0.0)
    share[order[-1]] = 1.0
    for node in order:
        for parent, partial in zip(node.parents, node.partials):
            share[parent] += share[node] * partial
    for node in order:
        node.grad += share[node]
