# replaces: cell
# loses: 2
# hint: You took a sigmoid for g, so it can only be positive. g is a tanh; only the three gates are sigmoids.


def lstm_cell(zi, zf, zo, zg, c):
    c = sigmoid(zf) * c + sigmoid(zi) * sigmoid(zg)
    return sigmoid(zo) * np.tanh(c), c
