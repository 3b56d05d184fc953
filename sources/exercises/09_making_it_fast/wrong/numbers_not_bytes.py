# replaces: walks
# loses: 2
# hint: You counted numbers. Each of them takes several bytes: how many, the dtype knows.


def walks(steps):
    return sum(len(reads) + len(writes) for reads, writes in steps)


def bytes_moved(steps, n, dtype):
    return walks(steps) * n
