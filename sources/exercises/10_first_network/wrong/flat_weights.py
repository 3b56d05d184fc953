# replaces: glorot
# loses: 2
# hint: The numbers are in one long row. A matrix was asked for: the shape is a pair, (n_out, n_in).


def glorot_limit(n_in, n_out):
    return np.sqrt(6 / (n_in + n_out))


def glorot(n_in, n_out, rng):
    limit = glorot_limit(n_in, n_out)
    return rng.uniform(-limit, limit, n_out * n_in)
