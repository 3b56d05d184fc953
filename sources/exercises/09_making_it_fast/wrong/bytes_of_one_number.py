# replaces: walks
# loses: 2
# hint: That is for arrays of one number. Each array has n.


def walks(steps):
    return sum(len(reads) + len(writes) for reads, writes in steps)


def bytes_moved(steps, n, dtype):
    return walks(steps) * np.dtype(dtype).itemsize
