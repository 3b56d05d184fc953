# replaces: cell_back
# loses: 3
# hint: With h_bar = 0 you give 0 everywhere: c_bar, from the next step, is lost. The new cell is used twice: add
#   both shares.


def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
    i, f, g, o = sigmoid(zi), sigmoid(zf), np.tanh(zg), sigmoid(zo)
    shown = np.tanh(f * c + i * g)
    c_bar = h_bar * o * (1 - shown**2)
    return {
        "zi": c_bar * g * i * (1 - i),
        "zf": c_bar * c * f * (1 - f),
        "zg": c_bar * i * (1 - g**2),
        "zo": h_bar * shown * o * (1 - o),
        "c": c_bar * f,
    }
