# replaces: walks
# loses: 2
# hint: walks is right, but bytes_moved counts the steps. Each walk over n numbers moves n times the size of a
#   number.


def walks(steps):
    """How many walks over a whole array the steps make together."""
    return sum(len(reads) + len(writes) for reads, writes in steps)


def bytes_moved(steps, n, dtype):
    """How many bytes are read and written, with arrays of n numbers of this dtype."""
    return len(steps) * n * np.dtype(dtype).itemsize
