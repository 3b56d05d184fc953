# replaces: waves
# loses: 2
# hint: All sines come first, then all cosines. In the formula they take turns, column by column.


def waves(T, d):
    angles = np.arange(T)[:, None] / 10000.0 ** (np.arange(0, d, 2) / d)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
