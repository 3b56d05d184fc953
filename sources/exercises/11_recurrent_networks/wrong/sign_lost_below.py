# replaces: by_value
# loses: 2
# hint: An entry below -limit became +limit: the sign is lost. Cut on both sides, each at its own end.


def clip_by_value(gradients, limit):
    return [np.where(np.abs(g) > limit, limit, g) for g in gradients]
