# replaces: train
# loses: 1
# hint: Your weights move in the direction of the gradient, where the error grows. Go against it.


def train(pictures, W, b, rate, order):
    for row in order:
        W_bar, b_bar = gradients(pictures[row], W, b)
        W, b = W + rate * W_bar, b + rate * b_bar
    return W, b
