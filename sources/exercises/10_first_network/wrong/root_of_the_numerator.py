# replaces: glorot
# loses: 2
# hint: The root goes over the whole fraction: you took that of 6 alone.


def glorot_limit(n_in, n_out):
    return np.sqrt(6) / (n_in + n_out)


def glorot(n_in, n_out, rng):
    limit = glorot_limit(n_in, n_out)
    return rng.uniform(-limit, limit, (n_out, n_in))
