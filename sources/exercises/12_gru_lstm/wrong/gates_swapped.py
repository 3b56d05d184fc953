# replaces: cell
# loses: 2
# hint: The two gates have changed places: i multiplies the old cell in yours. Which of the two decides what is
#   kept?


def lstm_cell(zi, zf, zo, zg, c):
    c = sigmoid(zi) * c + sigmoid(zf) * np.tanh(zg)
    return sigmoid(zo) * np.tanh(c), c
