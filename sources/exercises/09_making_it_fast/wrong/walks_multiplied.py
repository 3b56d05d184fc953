# replaces: walks
# loses: 2
# hint: You multiplied. What a step reads and what it writes are walks one after the other: add them.


def walks(steps):
    return sum(len(reads) * len(writes) for reads, writes in steps)


def bytes_moved(steps, n, dtype):
    return walks(steps) * n * np.dtype(dtype).itemsize
