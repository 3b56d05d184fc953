# replaces: batches
# loses: 5
# hint: Ten rows in batches of four: you made two full batches, and two rows are left out. The last batch may be
#   smaller.


def batches(n, size, rng):
    order = rng.permutation(n)
    return [order[k * size : (k + 1) * size] for k in range(n // size)]
