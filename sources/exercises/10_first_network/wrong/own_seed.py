# replaces: batches
# loses: 5
# hint: The order is random, but not drawn from the generator that you were given. With one of your own, made from a
#   fixed seed inside, each epoch would have the same order.


def batches(n, size, rng):
    order = np.random.default_rng(0).permutation(n)
    return [order[k : k + size] for k in range(0, n, size)]
