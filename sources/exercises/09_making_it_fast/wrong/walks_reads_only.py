# replaces: walks
# loses: 2
# hint: Writing counts, too: the arrays on the right are filled from end to end. Which strings of the pair did you
#   count?


def walks(steps):
    return sum(len(reads) for reads, writes in steps)


def bytes_moved(steps, n, dtype):
    return walks(steps) * n * np.dtype(dtype).itemsize
