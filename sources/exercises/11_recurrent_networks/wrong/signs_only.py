# replaces: by_value
# loses: 2
# hint: Entries within the limits have changed as well: -0.5 stays -0.5.


def clip_by_value(gradients, limit):
    return [limit * np.sign(g) for g in gradients]
