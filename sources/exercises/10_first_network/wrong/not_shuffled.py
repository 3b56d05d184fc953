# replaces: batches
# loses: 5
# hint: Your batches hold every row once, but always in the order 0, 1, 2, ... Where is the permutation?


def batches(n, size, rng):
    return [np.arange(k, min(k + size, n)) for k in range(0, n, size)]
