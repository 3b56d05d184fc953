# replaces: backward
# loses: 6
# hint: Every share is a multiple of what the output starts with, and it starts with 0. How far does the
#   output move when it moves by one?


def backward(order):
    share = dict.fromkeys(order, 0.0)
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            share[parent] += share[node] * partial
    for node in order:
        node.grad += share[node]
