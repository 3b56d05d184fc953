# replaces: copy
# loses: 7
# hint: The bias is missing in the code: the first number should be sigmoid(1 - 0.5 + 0.5), with b added inside the
#   sigmoid.


def copy(x, W, b):
    code = sigmoid(W @ x)
    return code, sigmoid(W.T @ code)
