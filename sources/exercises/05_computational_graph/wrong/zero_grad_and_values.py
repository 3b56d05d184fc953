# replaces: zero_grad
# loses: 1
# hint: The values were set to 0, too. Only the gradients start afresh.


def zero_grad(order):
    for node in order:
        node.grad *= 0
        node.value *= 0
