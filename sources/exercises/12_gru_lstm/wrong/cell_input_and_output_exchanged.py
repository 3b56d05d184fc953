# replaces: cell
# loses: 2
# hint: Two gates have changed places: in yours o decides what is taken in, and i what is shown. Which one
#   stands beside g?


def lstm_cell(zi, zf, zo, zg, c):
    c = sigmoid(zf) * c + sigmoid(zo) * np.tanh(zg)
    return sigmoid(zi) * np.tanh(c), c
