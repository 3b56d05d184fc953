# replaces: glorot
# loses: 2
# hint: The variance is right, but the distribution is another one: a normal distribution has no limit. Uniform was
#   asked for.


def glorot_limit(n_in, n_out):
    return np.sqrt(6 / (n_in + n_out))


def glorot(n_in, n_out, rng):
    limit = glorot_limit(n_in, n_out)
    return rng.normal(0, limit / np.sqrt(3), (n_out, n_in))
