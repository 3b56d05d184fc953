# replaces: cell
# loses: 2
# hint: The state is made from the old cell. First compute the new cell, then the state from it.


def lstm_cell(zi, zf, zo, zg, c):
    new = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)
    return sigmoid(zo) * np.tanh(c), new
