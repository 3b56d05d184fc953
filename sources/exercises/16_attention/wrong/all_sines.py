# replaces: waves
# loses: 2
# hint: The odd columns hold sines too: row 0 is all 0. There should be a 1 in every second place.


def waves(T, d):
    angles = np.arange(T)[:, None] / 10000.0 ** (np.arange(0, d, 2) / d)
    rows = np.empty((T, d))
    rows[:, 0::2] = rows[:, 1::2] = np.sin(angles)
    return rows
