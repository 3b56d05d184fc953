# replaces: by_value
# loses: 2
# hint: Your limit is a smooth one, and changes every entry. Entries between -limit and limit stay exactly as they
#   are.


def clip_by_value(gradients, limit):
    return [limit * np.tanh(g / limit) for g in gradients]
