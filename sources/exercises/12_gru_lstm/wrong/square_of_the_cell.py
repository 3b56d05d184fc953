# replaces: cell_back
# loses: 2
# hint: The derivative of tanh is 1 - tanh², and you squared the cell itself, without the tanh.


def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
    i, f, g, o = sigmoid(zi), sigmoid(zf), np.tanh(zg), sigmoid(zo)
    shown = np.tanh(f * c + i * g)
    c_bar = c_bar + h_bar * o * (1 - (f * c + i * g) ** 2)
    return {
        "zi": c_bar * g * i * (1 - i),
        "zf": c_bar * c * f * (1 - f),
        "zo": h_bar * shown * o * (1 - o),
        "zg": c_bar * i * (1 - g**2),
        "c": c_bar * f,
    }
