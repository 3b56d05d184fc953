# replaces: by_value
# loses: 2
# hint: You limit what is too large, but not what is too negative: -4 is below -1.


def clip_by_value(gradients, limit):
    return [np.minimum(g, limit) for g in gradients]
