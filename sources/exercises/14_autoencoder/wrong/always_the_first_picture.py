# replaces: train
# loses: 1
# hint: Every step uses the same picture. `order` says which row comes next.


def train(pictures, W, b, rate, order):
    for row in order:
        W_bar, b_bar = gradients(pictures[0], W, b)
        W, b = W - rate * W_bar, b - rate * b_bar
    return W, b
