# replaces: copy
# loses: 7
# hint: The code is right. The decoder ends in a sigmoid as well, and yours in a tanh.


def copy(x, W, b):
    c = sigmoid(W @ x + b)
    return c, np.tanh(W.T @ c)
