# replaces: batches
# loses: 5
# hint: Each batch is drawn anew from all rows, so some rows come twice and others never. In an epoch everybody has one
#   turn: draw one permutation, and cut it.


def batches(n, size, rng):
    return [rng.integers(0, n, min(size, n - k)) for k in range(0, n, size)]
