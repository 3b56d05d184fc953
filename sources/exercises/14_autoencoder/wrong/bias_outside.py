# replaces: copy
# loses: 7
# hint: b was added after the sigmoid. It belongs inside.


def copy(x, W, b):
    code = sigmoid(W @ x) + b
    return code, sigmoid(W.T @ code)
