# replaces: waves
# loses: 2
# hint: Sine and cosine of a pair have different wavelengths in yours, as if the exponent counted columns. Both
#   columns of a pair share one.


def waves(T, d):
    columns = np.arange(d)
    angles = np.arange(T)[:, None] / 10000.0 ** (columns / d)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
