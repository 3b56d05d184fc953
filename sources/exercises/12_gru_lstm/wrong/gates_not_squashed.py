# replaces: cell
# loses: 2
# hint: The gates are the sums themselves. Each of them goes through a sigmoid first.


def lstm_cell(zi, zf, zo, zg, c):
    c = zf * c + zi * np.tanh(zg)
    return sigmoid(zo) * np.tanh(c), c
