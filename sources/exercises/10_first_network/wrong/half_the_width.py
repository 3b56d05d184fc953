# replaces: glorot
# loses: 2
# hint: The weights go from -a/2 to a/2: the width of the interval is 2 a, not a. The variance is a quarter of
#   what was asked for.


def glorot_limit(n_in, n_out):
    return np.sqrt(6 / (n_in + n_out))


def glorot(n_in, n_out, rng):
    return rng.uniform(size=(n_out, n_in)) * glorot_limit(n_in, n_out) - glorot_limit(n_in, n_out) / 2
