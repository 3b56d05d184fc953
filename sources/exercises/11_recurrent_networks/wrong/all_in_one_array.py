# replaces: by_value
# loses: 2
# hint: All gradients came back as one long array. A list was asked for, with an array of its own shape for each.


def clip_by_value(gradients, limit):
    return np.clip(np.concatenate([np.ravel(g) for g in gradients]), -limit, limit)
