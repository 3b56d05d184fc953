# replaces: network
# loses: 5
# hint: Without the tanh two layers are no better than one: a product of two matrices is a matrix. What is applied
#   to the first layer?


def scores(x, W1, b1, W2, b2):
    return (x @ W1.T + b1) @ W2.T + b2
