# replaces: glorot
# loses: 2
# hint: Python divides only by n_in and then adds n_out. Where do brackets belong?


def glorot_limit(n_in, n_out):
    return np.sqrt(6 / n_in + n_out)


def glorot(n_in, n_out, rng):
    limit = glorot_limit(n_in, n_out)
    return rng.uniform(-limit, limit, (n_out, n_in))
