# replaces: copy
# loses: 8
# hint: W x sums over the pixels, a number for each entry of the code. Your sum goes the other way, and leaves a
#   number for each pixel.


def copy(x, W, b):
    c = sigmoid(np.sum(W * x, axis=0) + b)
    return c, sigmoid(W.T @ c)
