# replaces: waves
# loses: 2
# hint: The angles went through a change of units. sin and cos take them as they are.


def waves(T, d):
    w = np.zeros((T, d))
    for t in range(T):
        for i in range(d // 2):
            a = np.radians(t / 10000 ** (2 * i / d))
            w[t, 2 * i], w[t, 2 * i + 1] = np.sin(a), np.cos(a)
    return w
