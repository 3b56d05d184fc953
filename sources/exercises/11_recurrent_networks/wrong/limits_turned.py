# replaces: by_value
# loses: 2
# hint: np.clip takes the lower limit first, then the upper one.


def clip_by_value(gradients, limit):
    return [np.clip(g, limit, -limit) for g in gradients]
