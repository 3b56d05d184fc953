# replaces: network
# loses: 5
# hint: The bias of the second layer, b2, is missing.


def scores(x, W1, b1, W2, b2):
    return mg.tanh(x @ W1.T + b1) @ W2.T
