# replaces: batches
# loses: 5
# hint: You cut into equal parts. The pieces are to be of `size` rows, only the last one smaller.


def batches(n, size, rng):
    order = rng.permutation(n)
    return np.array_split(order, -(-n // size))
