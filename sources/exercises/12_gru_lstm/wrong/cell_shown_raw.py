# replaces: cell
# loses: 2
# hint: The cell is right. But the state shows it without its tanh: what do others see of a cell that has grown to
#   5?


def lstm_cell(zi, zf, zg, zo, c):
    c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)
    return sigmoid(zo) * c, c
