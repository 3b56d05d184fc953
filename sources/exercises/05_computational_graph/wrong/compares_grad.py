# replaces: backward
# loses: 6
# hint: All grads are 0. Every share is a multiple of what the output starts with: what is the derivative of the
#   output with respect to itself? And do your results arrive in .grad?


def backward(order):
    share = dict.fromkeys(order, 0.0)  # of this pass alone; .grad may hold something from an earlier one
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            share[parent] += share[node] * partial
    for node in order:
        node.grad == share[node]
