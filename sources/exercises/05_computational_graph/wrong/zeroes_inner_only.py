# replaces: zero_grad
# loses: 2
# hint: The computed nodes are at 0, but the inputs still remember theirs. Every node of the order has a grad.


def zero_grad(order):
    for node in order:
        if node.parents:
            node.grad = 0.0
