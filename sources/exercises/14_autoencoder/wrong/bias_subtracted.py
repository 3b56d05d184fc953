# replaces: copy
# loses: 7
# hint: The sign of b is the opposite: it is added to W x, and not subtracted.


def copy(x, W, b):
    code = sigmoid(W @ x - b)
    return code, sigmoid(W.T @ code)
