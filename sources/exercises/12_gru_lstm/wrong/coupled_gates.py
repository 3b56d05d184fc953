# replaces: cell
# loses: 2
# hint: The new content is multiplied by 1 - f, as in a GRU. An LSTM has a gate of its own for it: i.


def lstm_cell(zi, zf, zo, zg, c):
    c = sigmoid(zf) * c + (1 - sigmoid(zf)) * np.tanh(zg)
    return sigmoid(zo) * np.tanh(c), c
