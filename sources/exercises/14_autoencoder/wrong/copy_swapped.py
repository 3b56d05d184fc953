# replaces: copy
# loses: 8
# hint: The two results have changed places: the code comes first.


def copy(x, W, b):
    code = sigmoid(W @ x + b)
    return sigmoid(W.T @ code), code
