# replaces: batches
# loses: 5
# hint: Lists were made with `order[k : size]`: the second number of a slice is where it ENDS, not how long it is.


def batches(n, size, rng):
    order = rng.permutation(n)
    return [order[k:size] for k in range(0, n, size)]
