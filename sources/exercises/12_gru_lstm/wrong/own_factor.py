# replaces: cell_back
# loses: 3
# hint: In i g each factor gets the OTHER one: the adjoint of i has g in it, and that of g has i. You took each
#   one's own.


def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
    i, f, o, g = sigmoid(zi), sigmoid(zf), sigmoid(zo), np.tanh(zg)
    new = f * c + i * g
    total = c_bar + h_bar * o * (1 - np.tanh(new) ** 2)
    return {
        "zi": total * i * i * (1 - i),
        "zf": total * c * f * (1 - f),
        "zo": h_bar * np.tanh(new) * o * (1 - o),
        "zg": total * g * (1 - g**2),
        "c": total * f,
    }
