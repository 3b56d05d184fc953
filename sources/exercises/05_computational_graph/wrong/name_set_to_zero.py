# replaces: zero_grad
# loses: 2
# hint: `n = 0.0` gives the loop's name to a number, and leaves the node alone. Which part of the node is to become
#   0?


def zero_grad(order):
    for n in order:
        n = 0.0
