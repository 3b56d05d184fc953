# replaces: zero_grad
# loses: 1
# hint: One node is left out: c, the last one, still remembers 9, and perhaps all that are computed. Every node of
#   the order has a grad.


def zero_grad(order):
    for node in order[:-1]:
        node.grad = 0.0
