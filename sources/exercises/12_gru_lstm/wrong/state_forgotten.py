# replaces: cell_back
# loses: 2
# hint: Right as long as h_bar is 0. But the state is made from the new cell as well: h_bar comes back to it through
#   o and the derivative of tanh.


def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
    i, f, g, o = sigmoid(zi), sigmoid(zf), np.tanh(zg), sigmoid(zo)
    shown = np.tanh(f * c + i * g)
    return {
        "zi": c_bar * g * i * (1 - i),
        "zf": c_bar * c * f * (1 - f),
        "zg": c_bar * i * (1 - g**2),
        "zo": h_bar * shown * o * (1 - o),
        "c": c_bar * f,
    }
