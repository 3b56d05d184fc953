# replaces: walks
# loses: 2
# hint: You counted steps. A step goes over each array that it names: r = x + y reads x, reads y and writes r.


def walks(steps):
    return len(steps)


def bytes_moved(steps, n, dtype):
    return walks(steps) * n * np.dtype(dtype).itemsize
