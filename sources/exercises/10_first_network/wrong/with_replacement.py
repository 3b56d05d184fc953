# replaces: batches
# loses: 5
# hint: Some rows come twice and others never: each batch is drawn anew from all rows. In an epoch every row has one
#   turn: draw one permutation, and cut it.


def batches(n, size, rng):
    return [rng.integers(0, n, min(size, n - k)) for k in range(0, n, size)]
