# replaces: backward
# loses: 1
# hint: The second call forgot the first: .grad holds what one call gives. Gradients add up here until somebody
#   calls zero_grad: work with fresh shares of your own, then add them to .grad.


def backward(order):
    for node in order:
        node.grad = 0.0
    order[-1].grad = 1.0
    for node in reversed(order):
        for parent, partial in zip(node.parents, node.partials):
            parent.grad += node.grad * partial
