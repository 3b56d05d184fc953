# replaces: batches
# loses: 5
# hint: The right row numbers, but another order: it was not drawn from `rng`, or not as one permutation.


def batches(n, size, rng):
    order = np.arange(n)
    np.random.default_rng(99).shuffle(order)
    return [order[k : k + size] for k in range(0, n, size)]
