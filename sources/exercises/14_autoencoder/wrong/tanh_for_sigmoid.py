# replaces: copy
# loses: 7
# hint: You used another function than the sigmoid: numbers from -1 to 1 come out of a tanh, from 0 to 1 of a
#   sigmoid.


def copy(x, W, b):
    code = np.tanh(W @ x + b)
    return code, np.tanh(W.T @ code)
