# replaces: glorot
# loses: 2
# hint: That is a normal distribution, with the limit as its standard deviation. Uniform between -a and a was
#   asked for.


def glorot_limit(n_in, n_out):
    return np.sqrt(6 / (n_in + n_out))


def glorot(n_in, n_out, rng):
    return rng.normal(0.0, glorot_limit(n_in, n_out), (n_out, n_in))
