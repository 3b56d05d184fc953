# replaces: walks
# loses: 2
# hint: You counted steps. A step goes over each array that it names: this one reads four and writes three.


def walks(steps):
    return len(steps)


def bytes_moved(steps, n, dtype):
    return walks(steps) * n * np.dtype(dtype).itemsize
