# replaces: copy
# loses: 7
# hint: The bias was multiplied. It is added to W x, before the sigmoid.


def copy(x, W, b):
    c = sigmoid((W @ x) * b)
    return c, sigmoid(W.T @ c)
