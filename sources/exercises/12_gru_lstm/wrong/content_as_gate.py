# replaces: cell
# loses: 2
# hint: You pass the content through a sigmoid, so it can only be positive. What there is to say goes through
#   tanh; only the three gates are sigmoids.


def lstm_cell(zi, zf, zg, zo, c):
    c = sigmoid(zf) * c + sigmoid(zi) * sigmoid(zg)
    return sigmoid(zo) * np.tanh(c), c
