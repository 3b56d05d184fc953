# replaces: glorot
# loses: 2
# hint: That is the variance of the rule itself. Set a² / 3 equal to it and solve for a.


def glorot_limit(n_in, n_out):
    return 2 / (n_in + n_out)


def glorot(n_in, n_out, rng):
    a = glorot_limit(n_in, n_out)
    return rng.uniform(-a, a, (n_out, n_in))
