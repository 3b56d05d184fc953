# replaces: glorot
# loses: 2
# hint: It is the transpose. One row for each unit: the number of outputs comes first.


def glorot_limit(n_in, n_out):
    return np.sqrt(6 / (n_in + n_out))


def glorot(n_in, n_out, rng):
    limit = glorot_limit(n_in, n_out)
    return rng.uniform(-limit, limit, (n_in, n_out))
