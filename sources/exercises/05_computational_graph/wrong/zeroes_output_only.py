# replaces: zero_grad
# loses: 2
# hint: a still remembers 7: its grad was not set. Every node of the order has a grad, and = sets it; == only
#   compares.


def zero_grad(order):
    order[-1].grad = 0.0
