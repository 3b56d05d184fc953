# replaces: waves
# loses: 2
# hint: It is the transpose: a row for each position was asked for.


def waves(T, d):
    w = np.zeros((d, T))
    for t in range(T):
        for i in range(d // 2):
            a = t / 10000 ** (2 * i / d)
            w[2 * i, t], w[2 * i + 1, t] = np.sin(a), np.cos(a)
    return w
