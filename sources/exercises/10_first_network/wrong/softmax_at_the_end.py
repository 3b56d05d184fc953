# replaces: network
# loses: 5
# hint: The scores went through a softmax. cross_entropy does that itself, from the scores as they are.


def scores(x, W1, b1, W2, b2):
    return mg.softmax(mg.tanh(x @ W1.T + b1) @ W2.T + b2)
