# replaces: walks
# loses: 2
# hint: You counted each array once. But an array that three steps use is read three times: it does not stay in the
#   processor from one step to the next.


def walks(steps):
    return len(set("".join(reads + writes for reads, writes in steps)))


def bytes_moved(steps, n, dtype):
    return walks(steps) * n * np.dtype(dtype).itemsize
