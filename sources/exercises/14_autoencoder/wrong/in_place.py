# replaces: train
# loses: 1
# hint: The new weights are right, but those that you were given have changed with them: -= writes into the array
#   itself. Make new ones.


def train(pictures, W, b, rate, order):
    for row in order:
        W_bar, b_bar = gradients(pictures[row], W, b)
        W -= rate * W_bar
        b -= rate * b_bar
    return W, b
