# replaces: train
# loses: 1
# hint: All your gradients are computed with the initial weights. One picture at a time means: the second picture
#   meets the weights that the first one has changed.


def train(pictures, W, b, rate, order):
    first = W, b
    for row in order:
        W_bar, b_bar = gradients(pictures[row], *first)
        W, b = W - rate * W_bar, b - rate * b_bar
    return W, b
