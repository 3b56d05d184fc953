# replaces: cell_back
# loses: 2
# hint: The tanh on the way to h was that of the NEW cell. You took the tanh of the old one.


def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
    i, f, g, o = sigmoid(zi), sigmoid(zf), np.tanh(zg), sigmoid(zo)
    t = np.tanh(c)
    whole = c_bar + h_bar * o * (1 - t * t)
    return {
        "zi": whole * g * i * (1 - i),
        "zf": whole * c * f * (1 - f),
        "zo": h_bar * t * o * (1 - o),
        "zg": whole * i * (1 - g * g),
        "c": whole * f,
    }
