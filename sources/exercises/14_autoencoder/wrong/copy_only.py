# replaces: copy
# loses: 8
# hint: Two results were asked for: the code, and the copy.


def copy(x, W, b):
    code = sigmoid(W @ x + b)
    return sigmoid(W.T @ code)
