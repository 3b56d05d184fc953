# replaces: waves
# loses: 2
# hint: The pairs come in the opposite order: the slowest one is first.


def waves(T, d):
    angles = np.arange(T)[:, None] / 10000.0 ** (np.arange(0, d, 2)[::-1] / d)
    rows = np.empty((T, d))
    rows[:, 0::2], rows[:, 1::2] = np.sin(angles), np.cos(angles)
    return rows
