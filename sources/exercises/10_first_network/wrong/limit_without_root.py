# replaces: glorot
# loses: 2
# hint: You stopped at a². The rule and the formula give its square: one root is missing.


def glorot_limit(n_in, n_out):
    return 6 / (n_in + n_out)


def glorot(n_in, n_out, rng):
    limit = glorot_limit(n_in, n_out)
    return rng.uniform(-limit, limit, (n_out, n_in))
