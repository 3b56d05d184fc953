# replaces: waves
# loses: 2
# hint: The second pair turns at the wrong speed: the number whose power you take is another one than 10000.


def waves(T, d):
    w = np.zeros((T, d))
    for t in range(T):
        for i in range(d // 2):
            a = t / 1000 ** (2 * i / d)
            w[t, 2 * i], w[t, 2 * i + 1] = np.sin(a), np.cos(a)
    return w
