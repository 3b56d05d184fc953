# replaces: cell
# loses: 2
# hint: The two gates have changed places: the input gate stands before the old cell. Which of the two decides
#   what stays?


def lstm_cell(zi, zf, zg, zo, c):
    c = sigmoid(zi) * c + sigmoid(zf) * np.tanh(zg)
    return sigmoid(zo) * np.tanh(c), c
