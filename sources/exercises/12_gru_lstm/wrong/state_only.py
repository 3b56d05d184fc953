# replaces: cell
# loses: 2
# hint: Two results were asked for: the new state h, and the new cell c.


def lstm_cell(zi, zf, zo, zg, c):
    c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)
    return sigmoid(zo) * np.tanh(c)
