# replaces: waves
# loses: 2
# hint: A pair of columns shares one angle: its sine and its cosine. In yours each column has an angle of its own.


def waves(T, d):
    w = np.zeros((T, d))
    for t in range(T):
        for i in range(d):
            a = t / 10000 ** (2 * i / d)
            w[t, i] = np.sin(a) if i % 2 == 0 else np.cos(a)
    return w
