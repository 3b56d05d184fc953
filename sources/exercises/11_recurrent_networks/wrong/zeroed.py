# replaces: by_value
# loses: 2
# hint: Entries beyond the limit became 0. They should become the limit, with their sign.


def clip_by_value(gradients, limit):
    return [g * (np.abs(g) <= limit) for g in gradients]
