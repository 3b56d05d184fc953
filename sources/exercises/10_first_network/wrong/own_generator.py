# replaces: glorot
# loses: 2
# hint: Two draws gave the same numbers: your function makes a generator of its own. Draw from the rng that you are
#   given.


def glorot_limit(n_in, n_out):
    return np.sqrt(6 / (n_in + n_out))


def glorot(n_in, n_out, rng):
    rng = np.random.default_rng(0)
    a = glorot_limit(n_in, n_out)
    return rng.uniform(-a, a, (n_out, n_in))
