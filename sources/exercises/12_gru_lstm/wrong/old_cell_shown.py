# replaces: cell
# loses: 2
# hint: The state is made from the cell as it was before. First the new cell, then what is shown of it.


def lstm_cell(zi, zf, zg, zo, c):
    new = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)
    return sigmoid(zo) * np.tanh(c), new
