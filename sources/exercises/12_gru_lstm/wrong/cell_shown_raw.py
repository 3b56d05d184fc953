# replaces: cell
# loses: 2
# hint: The cell is right. But the state is made from it without the tanh: h = o tanh(c).


def lstm_cell(zi, zf, zo, zg, c):
    c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)
    return sigmoid(zo) * c, c
