# replaces: network
# loses: 5
# hint: W1 has a row for each unit, and x a row for each image. For x @ W1.T the inner sizes agree.


def scores(x, W1, b1, W2, b2):
    return mg.tanh(x @ W1 + b1) @ W2.T + b2
