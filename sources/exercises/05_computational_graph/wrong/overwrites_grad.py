# replaces: backward
# loses: 1
# hint: The second call forgot the first: .grad holds what one call gives. Gradients add up here until somebody
#   calls zero_grad: work with fresh shares of your own, then add them to .grad.


def backward(order):
    share = dict.fromkeys(order, 0.0)  # of this pass alone; .grad may hold something from an earlier one
    share[order[-1]] = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            share[parent] += share[node] * partial
    for node in order:
        node.grad = share[node]
