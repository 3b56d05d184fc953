# replaces: copy
# loses: 7
# hint: You went back by an inverse of W. The decoder uses the transpose: it need not undo the encoder, it learns
#   to.


def copy(x, W, b):
    c = sigmoid(W @ x + b)
    return c, sigmoid(np.linalg.pinv(W) @ c)
