# replaces: by_value
# loses: 2
# hint: -0.5 came out positive. You limited the absolute values, and the signs got lost; they say in which direction to
#   go.


def clip_by_value(gradients, limit):
    return [np.minimum(np.abs(g), limit) for g in gradients]
