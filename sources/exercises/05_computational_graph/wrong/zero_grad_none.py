# replaces: zero_grad
# loses: 2
# hint: None is not a number: the next `grad += ...` would fail. Set each grad to 0.


def zero_grad(order):
    for node in order:
        node.grad = None
