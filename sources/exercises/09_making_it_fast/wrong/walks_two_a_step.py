# replaces: walks
# loses: 2
# hint: You count two walks for each step. A step may read or write several arrays: each letter is a walk.


def walks(steps):
    return 2 * len(steps)


def bytes_moved(steps, n, dtype):
    return walks(steps) * n * np.dtype(dtype).itemsize
