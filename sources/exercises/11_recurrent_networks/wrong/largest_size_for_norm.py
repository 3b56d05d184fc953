# replaces: by_norm
# loses: 3
# hint: You divided by the largest entry. The norm of the whole gradient is longer: the root of the sum of all
#   squares.


def clip_by_norm(gradients, limit):
    n = max(np.abs(g).max() for g in gradients)
    return [g * limit / n if n > limit else g.copy() for g in gradients]
