# replaces: waves
# loses: 2
# hint: The last row is empty: your loop ends one step too early. range(T) ends before T by itself.


def waves(T, d):
    w = np.zeros((T, d))
    for t in range(T - 1):
        for i in range(d // 2):
            a = t / 10000 ** (2 * i / d)
            w[t, 2 * i], w[t, 2 * i + 1] = np.sin(a), np.cos(a)
    return w
