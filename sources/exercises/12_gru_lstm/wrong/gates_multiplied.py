# replaces: cell
# loses: 2
# hint: The cell ADDS: f c plus i g. You multiplied all four.


def lstm_cell(zi, zf, zo, zg, c):
    c = sigmoid(zf) * c * sigmoid(zi) * np.tanh(zg)
    return sigmoid(zo) * np.tanh(c), c
