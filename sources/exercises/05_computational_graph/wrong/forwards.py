# replaces: backward
# loses: 6
# hint: You walk from the inputs to the output. When you come to c it has nothing yet to hand on to b: its
#   share arrives from d, later. Which way round does every node receive everything before it hands on?


def backward(order):
    share = dict.fromkeys(order, 0.0)
    share[order[-1]] = 1.0
    for node in order:
        for parent, partial in zip(node.parents, node.partials):
            share[parent] += share[node] * partial
    for node in order:
        node.grad += share[node]
