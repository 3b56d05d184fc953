# replaces: zero_grad
# loses: 2
# hint: You return a list of zeros, and the nodes keep what they have. Set the .grad of each node.


def zero_grad(order):
    return [0.0 for n in order]
