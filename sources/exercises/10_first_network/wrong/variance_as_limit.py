# replaces: glorot
# loses: 2
# hint: You took the standard deviation, the root of 2 / (n_in + n_out), for the limit. A uniform distribution
#   reaches further than its standard deviation: a² / 3 is its variance.


def glorot_limit(n_in, n_out):
    return np.sqrt(2 / (n_in + n_out))


def glorot(n_in, n_out, rng):
    limit = glorot_limit(n_in, n_out)
    return rng.uniform(-limit, limit, (n_out, n_in))
