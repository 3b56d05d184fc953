# replaces: cell_back
# loses: 3
# hint: The derivative of a sigmoid is s (1 - s), with s the sigmoid's VALUE. You put in the sum z itself.


def lstm_cell_back(zi, zf, zo, zg, c, h_bar, c_bar):
    i, f, o, g = sigmoid(zi), sigmoid(zf), sigmoid(zo), np.tanh(zg)
    new = f * c + i * g
    total = c_bar + h_bar * o * (1 - np.tanh(new) ** 2)
    return {
        "zi": total * g * zi * (1 - zi),
        "zf": total * c * zf * (1 - zf),
        "zo": h_bar * np.tanh(new) * zo * (1 - zo),
        "zg": total * i * (1 - zg**2),
        "c": total * f,
    }
