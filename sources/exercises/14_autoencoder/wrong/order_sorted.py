# replaces: train
# loses: 1
# hint: The pictures were taken in sorted order. `order` says which one comes first.


def train(pictures, W, b, rate, order):
    for row in sorted(order):
        W_bar, b_bar = gradients(pictures[row], W, b)
        W, b = W - rate * W_bar, b - rate * b_bar
    return W, b
