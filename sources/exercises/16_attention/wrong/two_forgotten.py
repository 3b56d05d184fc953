# replaces: waves
# loses: 2
# hint: The second pair turns too fast: the exponent is half of what it should be. It is 2 i / d.


def waves(T, d):
    angles = np.arange(T)[:, None] / 10000.0 ** (np.arange(d // 2) / d)
    rows = np.empty((T, d))
    rows[:, 0::2], rows[:, 1::2] = np.sin(angles), np.cos(angles)
    return rows
