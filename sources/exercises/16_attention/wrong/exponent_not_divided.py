# replaces: waves
# loses: 2
# hint: The second pair hardly moves: the power is far too large. Is the exponent divided by d?


def waves(T, d):
    angles = np.arange(T)[:, None] / 10000.0 ** (np.arange(0, d, 2))
    rows = np.empty((T, d))
    rows[:, 0::2], rows[:, 1::2] = np.sin(angles), np.cos(angles)
    return rows
