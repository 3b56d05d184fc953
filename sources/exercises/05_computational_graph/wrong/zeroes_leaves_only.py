# replaces: zero_grad
# loses: 1
# hint: The inputs are set back, but c, which was computed from them, still remembers 9. Every node of the
#   order has a grad.


def zero_grad(order):
    for node in order:
        if not node.parents:
            node.grad = 0.0
