# replaces: waves
# loses: 2
# hint: Sine and cosine are exchanged: row 0 begins with 1. The even columns hold sines.


def waves(T, d):
    angles = np.arange(T)[:, None] / 10000.0 ** (np.arange(0, d, 2) / d)
    rows = np.empty((T, d))
    rows[:, 0::2], rows[:, 1::2] = np.cos(angles), np.sin(angles)
    return rows
