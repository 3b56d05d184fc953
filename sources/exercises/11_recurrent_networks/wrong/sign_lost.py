# replaces: by_value
# loses: 2
# hint: -0.5 came out positive: you limited the absolute values and lost the signs.


def clip_by_value(gradients, limit):
    return [np.minimum(np.abs(g), limit) for g in gradients]
