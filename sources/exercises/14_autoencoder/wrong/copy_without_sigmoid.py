# replaces: copy
# loses: 7
# hint: The code is right. The copy is a plain product, which can leave the range from 0 to 1: the decoder's sigmoid
#   is missing.


def copy(x, W, b):
    code = sigmoid(W @ x + b)
    return code, W.T @ code
