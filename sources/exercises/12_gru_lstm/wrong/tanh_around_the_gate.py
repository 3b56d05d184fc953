# replaces: cell
# loses: 2
# hint: The gate o stands outside the tanh: h = o tanh(c). You took the tanh of the product.


def lstm_cell(zi, zf, zo, zg, c):
    c = sigmoid(zf) * c + sigmoid(zi) * np.tanh(zg)
    return np.tanh(sigmoid(zo) * c), c
