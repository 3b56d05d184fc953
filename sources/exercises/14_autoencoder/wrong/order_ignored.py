# replaces: train
# loses: 1
# hint: You take the pictures from the first to the last, whatever `order` says.


def train(pictures, W, b, rate, order):
    for row in range(len(order)):
        W_bar, b_bar = gradients(pictures[row], W, b)
        W, b = W - rate * W_bar, b - rate * b_bar
    return W, b
