# replaces: slopes
# loses: 2
# hint: The first entry is right, but its step stays: when entry 1 moves, entry 0 is still away from its place.
#   Begin each entry from x.


def slopes(f, x, h=1e-5):
    g = np.zeros(len(x))
    up, down = np.array(x, dtype=float), np.array(x, dtype=float)
    for i in range(len(x)):
        up[i] += h
        down[i] -= h
        g[i] = (f(up) - f(down)) / (2 * h)
    return g
