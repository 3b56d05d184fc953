# replaces: by_value
# loses: 2
# hint: The numbers are right, but an array that came in as a matrix came out as one long row. Keep the shapes.


def clip_by_value(gradients, limit):
    return [np.clip(g.ravel(), -limit, limit) for g in gradients]
