# replaces: copy
# loses: 7
# hint: b was added in the decoder, too. The decoder has no bias: W transposed times the code, then the sigmoid.


def copy(x, W, b):
    c = sigmoid(W @ x + b)
    return c, sigmoid(W.T @ (c + b))
