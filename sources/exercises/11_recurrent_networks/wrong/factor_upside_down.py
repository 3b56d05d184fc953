# replaces: by_norm
# loses: 3
# hint: The factor is upside down: the gradients grew. A norm of 5 that should become 1 needs the factor 1/5.


def clip_by_norm(gradients, limit):
    n = np.sqrt(sum(np.sum(g**2) for g in gradients))
    return [g * (n / limit) if n > limit else g.copy() for g in gradients]
