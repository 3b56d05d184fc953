# replaces: by_value
# loses: 2
# hint: What is too large passes: you limit only from below.


def clip_by_value(gradients, limit):
    return [np.maximum(g, -limit) for g in gradients]
