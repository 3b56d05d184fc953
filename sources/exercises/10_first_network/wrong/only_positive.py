# replaces: glorot
# loses: 2
# hint: All your weights are positive. The distribution should have mean 0: where does it begin?


def glorot_limit(n_in, n_out):
    return np.sqrt(6 / (n_in + n_out))


def glorot(n_in, n_out, rng):
    return rng.uniform(0, glorot_limit(n_in, n_out), (n_out, n_in))
