# replaces: batches
# loses: 5
# hint: Some rows come twice and others never: the numbers are drawn one by one. In an epoch every row has one turn:
#   draw one permutation, and cut it.


def batches(n, size, rng):
    order = rng.integers(0, n, n)
    return [order[k : k + size] for k in range(0, n, size)]
