# replaces: batches
# loses: 5
# hint: There is a batch for each row: your pieces begin at 0, 1, 2, ... They should begin size apart.


def batches(n, size, rng):
    order = rng.permutation(n)
    return [order[k : k + size] for k in range(n)]
