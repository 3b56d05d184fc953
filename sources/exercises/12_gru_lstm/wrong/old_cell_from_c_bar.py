# replaces: cell_back
# loses: 2
# hint: The old cell got only what came from the next step. It goes through f into the new cell, so it gets the new
#   cell's WHOLE adjoint, times f.


def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
    i, f, o, g = sigmoid(zi), sigmoid(zf), sigmoid(zo), np.tanh(zg)
    new = f * c + i * g
    total = c_bar + h_bar * o * (1 - np.tanh(new) ** 2)
    return {
        "zi": total * g * i * (1 - i),
        "zf": total * c * f * (1 - f),
        "zo": h_bar * np.tanh(new) * o * (1 - o),
        "zg": total * i * (1 - g**2),
        "c": c_bar * f,
    }
