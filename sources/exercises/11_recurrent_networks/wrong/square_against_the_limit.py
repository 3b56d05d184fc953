# replaces: by_norm
# loses: 3
# hint: You compare the SQUARE of the norm with the limit. Where the limit is 1 that is the same; with 4.5, a
#   vector of norm 3 was made longer.


def clip_by_norm(gradients, limit):
    square = sum((g**2).sum() for g in gradients)
    if square <= limit:
        return [g.copy() for g in gradients]
    return [g * limit / np.sqrt(square) for g in gradients]
