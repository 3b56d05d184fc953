# replaces: network
# loses: 5
# hint: You used another function than tanh in the hidden layer.


def scores(x, W1, b1, W2, b2):
    """The scores, (images, digits)."""
    ### BEGIN SOLUTION
    return mg.relu(x @ W1.T + b1) @ W2.T + b2
    ### END SOLUTION
