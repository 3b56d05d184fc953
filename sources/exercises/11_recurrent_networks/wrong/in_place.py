# replaces: by_value
# loses: 2
# hint: The result is right, but the arrays that you were given have changed as well. New ones were asked for.


def clip_by_value(gradients, limit):
    return [np.clip(g, -limit, limit, out=g) for g in gradients]
