# replaces: cell
# loses: 2
# hint: The two results have changed places: the new state h comes first, then the new cell c.


def lstm_cell(zi, zf, zo, zg, c):
    c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)
    return c, sigmoid(zo) * np.tanh(c)
