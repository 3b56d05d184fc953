# replaces: walks
# loses: 2
# hint: You took 4 bytes for every number. That is a float32; the dtype says what it is here, and
#   np.dtype(dtype).itemsize how wide.


def walks(steps):
    return sum(len(reads) + len(writes) for reads, writes in steps)


def bytes_moved(steps, n, dtype):
    return walks(steps) * n * 4
