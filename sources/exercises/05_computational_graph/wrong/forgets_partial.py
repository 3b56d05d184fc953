# replaces: backward
# loses: 6
# hint: Each parent gets the node's whole share, without a factor. k changes d by c = 12 for each unit of its own:
#   which number of the node says so?


def backward(order):
    share = dict.fromkeys(order, 0.0)
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent in node.parents:
            share[parent] += share[node]
    for node in order:
        node.grad += share[node]
