# replaces: glorot
# loses: 2
# hint: The 3 is on the wrong side: a² / 3 is the variance, so a² is three times the variance, and not a third
#   of it.


def glorot_limit(n_in, n_out):
    return np.sqrt(2 / (3 * (n_in + n_out)))


def glorot(n_in, n_out, rng):
    a = glorot_limit(n_in, n_out)
    return rng.uniform(-a, a, (n_out, n_in))
