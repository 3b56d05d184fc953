# replaces: zero_grad
# loses: 2
# hint: Only the output is set back; a still remembers 7. Every node of the order has a grad.


def zero_grad(order):
    order[-1].grad = 0.0
