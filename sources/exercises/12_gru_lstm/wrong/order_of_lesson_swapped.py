# replaces: cell
# loses: 2
# hint: o and g have changed places: the arguments come in the order zi, zf, zo, zg.


def lstm_cell(zi, zf, zg, zo, c):
    c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)
    return sigmoid(zo) * np.tanh(c), c
