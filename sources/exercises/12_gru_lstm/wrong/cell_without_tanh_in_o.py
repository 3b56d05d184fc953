# replaces: cell_back
# loses: 2
# hint: zo gets h_bar times what o was multiplied by: the TANH of the new cell. You took the cell itself.


def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
    i, f, o, g = sigmoid(zi), sigmoid(zf), sigmoid(zo), np.tanh(zg)
    new = f * c + i * g
    total = c_bar + h_bar * o * (1 - np.tanh(new) ** 2)
    return {
        "zi": total * g * i * (1 - i),
        "zf": total * c * f * (1 - f),
        "zo": h_bar * new * o * (1 - o),
        "zg": total * i * (1 - g**2),
        "c": total * f,
    }
