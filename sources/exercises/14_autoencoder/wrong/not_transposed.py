# replaces: copy
# loses: 8
# hint: W leads from pixels to the code. The way back needs its transpose.


def copy(x, W, b):
    code = sigmoid(W @ x + b)
    return code, sigmoid(W @ code)
