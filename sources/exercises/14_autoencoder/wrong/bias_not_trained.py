# replaces: train
# loses: 1
# hint: W is right, but b has not moved. Both have a gradient.


def train(pictures, W, b, rate, order):
    for row in order:
        W_bar, b_bar = gradients(pictures[row], W, b)
        W, b = W - rate * W_bar, b
    return W, b
