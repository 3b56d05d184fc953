# replaces: cell
# loses: 2
# hint: The old cell has changed: *= and += write into the caller's array, and the backward pass still needs it.
#   Make a new one.


def lstm_cell(zi, zf, zo, zg, c):
    c *= sigmoid(zf)
    c += sigmoid(zi) * np.tanh(zg)
    return sigmoid(zo) * np.tanh(c), c
