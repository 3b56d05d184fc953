# replaces: by_value
# loses: 2
# hint: You cut what is too large, and let what is too negative pass. A giant step to the left is a giant step.


def clip_by_value(gradients, limit):
    return [np.minimum(g, limit) for g in gradients]
