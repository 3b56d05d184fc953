# replaces: walks
# loses: 2
# hint: You took 4 bytes for every number, as in float32. The dtype says how many it is here:
#   np.dtype(dtype).itemsize.


def walks(steps):
    return sum(len(reads) + len(writes) for reads, writes in steps)


def bytes_moved(steps, n, dtype):
    return walks(steps) * n * 4
