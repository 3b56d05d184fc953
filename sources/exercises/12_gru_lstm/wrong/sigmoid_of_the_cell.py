# replaces: cell
# loses: 2
# hint: The new cell is right. The state is o times its tanh, and you took its sigmoid.


def lstm_cell(zi, zf, zo, zg, c):
    c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)
    return sigmoid(zo) * sigmoid(c), c
