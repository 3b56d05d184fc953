# replaces: waves
# loses: 2
# hint: The even columns hold cosines too: row 0 is all 1. There should be a 0 in every second place.


def waves(T, d):
    angles = np.arange(T)[:, None] / 10000.0 ** (np.arange(0, d, 2) / d)
    rows = np.empty((T, d))
    rows[:, 0::2] = rows[:, 1::2] = np.cos(angles)
    return rows
