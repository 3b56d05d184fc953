# replaces: by_value
# loses: 2
# hint: Negative entries became 0: your lower limit is 0. It is -limit.


def clip_by_value(gradients, limit):
    return [np.clip(g, 0, limit) for g in gradients]
