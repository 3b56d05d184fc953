# replaces: waves
# loses: 2
# hint: The second pair turns a hundred times faster than the first one, where it should be slower: t is divided
#   by the power.


def waves(T, d):
    angles = np.arange(T)[:, None] * 10000.0 ** (np.arange(0, d, 2) / d)
    rows = np.empty((T, d))
    rows[:, 0::2], rows[:, 1::2] = np.sin(angles), np.cos(angles)
    return rows
