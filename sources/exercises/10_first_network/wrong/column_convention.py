# replaces: network
# loses: 5
# hint: W @ x wants an image in each COLUMN. Here images are rows, so x stands first: x times the transpose of W.


def scores(x, W1, b1, W2, b2):
    return W2 @ mg.tanh(W1 @ x.T + b1) + b2
