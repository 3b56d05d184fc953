# replaces: batches
# loses: 5
# hint: reshape needs batches of equal size. 10 rows do not fill batches of 4: cut with slices, and let the last be
#   smaller.


def batches(n, size, rng):
    return list(rng.permutation(n).reshape(-1, size))
