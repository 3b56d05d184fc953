# replaces: train
# loses: 1
# hint: The new weights are the steps alone. The old weights belong to them: W - rate * gradient.


def train(pictures, W, b, rate, order):
    for row in order:
        W_bar, b_bar = gradients(pictures[row], W, b)
        W, b = -rate * W_bar, -rate * b_bar
    return W, b
