# replaces: network
# loses: 5
# hint: The scores went through a tanh as well, so none can be above 1. Only the hidden layer has one; scores may be
#   as large as they like.


def scores(x, W1, b1, W2, b2):
    return mg.tanh(mg.tanh(x @ W1.T + b1) @ W2.T + b2)
