# replaces: batches
# loses: 5
# hint: You cut the order into `size` pieces. `size` is the number of rows in each piece.


def batches(n, size, rng):
    return np.array_split(rng.permutation(n), size)
