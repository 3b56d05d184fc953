# replaces: walks
# loses: 2
# hint: A step that reads and writes the same array walks over it twice. A set counts the letter only once.


def walks(steps):
    return sum(len(set(r + w)) for r, w in steps)


def bytes_moved(steps, n, dtype):
    return walks(steps) * n * np.dtype(dtype).itemsize
