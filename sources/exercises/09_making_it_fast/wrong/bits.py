# replaces: walks
# loses: 2
# hint: Eight times too much: those are bits. itemsize is in bytes.


def walks(steps):
    return sum(len(reads) + len(writes) for reads, writes in steps)


def bytes_moved(steps, n, dtype):
    return walks(steps) * n * np.dtype(dtype).itemsize * 8
