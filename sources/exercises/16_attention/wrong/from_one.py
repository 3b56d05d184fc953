# replaces: waves
# loses: 2
# hint: Your row 0 is what row 1 should be. Positions are counted from 0.


def waves(T, d):
    angles = np.arange(1, T + 1)[:, None] / 10000.0 ** (np.arange(0, d, 2) / d)
    rows = np.empty((T, d))
    rows[:, 0::2], rows[:, 1::2] = np.sin(angles), np.cos(angles)
    return rows
