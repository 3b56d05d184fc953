# replaces: copy
# loses: 7
# hint: The decoder got W x + b. It gets the code, after its sigmoid.


def copy(x, W, b):
    z = W @ x + b
    return sigmoid(z), sigmoid(W.T @ z)
