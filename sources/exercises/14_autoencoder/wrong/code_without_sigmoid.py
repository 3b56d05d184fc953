# replaces: copy
# loses: 7
# hint: Your code is the input of the sigmoid: 1 and 0.5 in the example. Each of the two layers has a sigmoid, the
#   encoder's, too.


def copy(x, W, b):
    code = W @ x + b
    return code, sigmoid(W.T @ code)
