# replaces: copy
# loses: 7
# hint: The code does not know the bias: for the first number that is 1 - 0.5 = 0.5 instead of 1 in the bracket.


def copy(x, W, b):
    code = sigmoid(W @ x)
    return code, sigmoid(W.T @ code)
