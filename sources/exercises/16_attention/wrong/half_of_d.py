# replaces: waves
# loses: 2
# hint: The second pair turns too slowly: the exponent is twice what it should be. Did you divide by d / 2, or
#   double twice?


def waves(T, d):
    angles = np.arange(T)[:, None] / 10000.0 ** (np.arange(0, d, 2) / (d / 2))
    rows = np.empty((T, d))
    rows[:, 0::2], rows[:, 1::2] = np.sin(angles), np.cos(angles)
    return rows
