# replaces: by_norm
# loses: 3
# hint: You added the sizes of the entries. The 2-norm is the root of the sum of their squares.


def clip_by_norm(gradients, limit):
    n = sum(np.sum(np.abs(g)) for g in gradients)
    return [g * limit / n if n > limit else g.copy() for g in gradients]
