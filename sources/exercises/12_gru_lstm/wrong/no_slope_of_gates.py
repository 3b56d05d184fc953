# replaces: cell_back
# loses: 3
# hint: You stop at the gate itself. Between the gate and its input there is a sigmoid, with the derivative i (1 -
#   i).


def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
    i, f, g, o = sigmoid(zi), sigmoid(zf), np.tanh(zg), sigmoid(zo)
    shown = np.tanh(f * c + i * g)
    c_bar = c_bar + h_bar * o * (1 - shown**2)
    return {"zi": c_bar * g, "zf": c_bar * c, "zg": c_bar * i, "zo": h_bar * shown, "c": c_bar * f}
