# replaces: backward
# loses: 6
# hint: Every parent gets every partial. They go in pairs: the first partial belongs to the first parent. zip pairs
#   them.


def backward(order):
    share = dict.fromkeys(order, 0.0)
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent in node.parents:
            for partial in node.partials:
                share[parent] += share[node] * partial
    for node in order:
        node.grad += share[node]
