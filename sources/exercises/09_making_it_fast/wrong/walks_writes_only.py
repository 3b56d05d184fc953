# replaces: walks
# loses: 2
# hint: Only what is written was counted. Reading counts as well.


def walks(steps):
    """How many walks over a whole array the steps make together."""
    return sum(len(writes) for reads, writes in steps)


def bytes_moved(steps, n, dtype):
    """How many bytes are read and written, with arrays of n numbers of this dtype."""
    return walks(steps) * n * np.dtype(dtype).itemsize
