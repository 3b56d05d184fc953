# replaces: glorot
# loses: 2
# hint: The 3 of a²/3 is there, but not the 2 of the rule: a² / 3 = 2 / (n_in + n_out).


def glorot_limit(n_in, n_out):
    return np.sqrt(3 / (n_in + n_out))


def glorot(n_in, n_out, rng):
    limit = glorot_limit(n_in, n_out)
    return rng.uniform(-limit, limit, (n_out, n_in))
