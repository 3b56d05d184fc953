# replaces: network
# loses: 5
# hint: That is the hidden layer. The second layer is missing: the scores are H W2ᵀ + b2.


def scores(x, W1, b1, W2, b2):
    return mg.tanh(x @ W1.T + b1)
    ### END SOLUTION
