# replaces: by_norm
# loses: 3
# hint: You divided by 25, and the norm is 5: a root is missing.


def clip_by_norm(gradients, limit):
    norm = sum(np.sum(g**2) for g in gradients)
    return [g * min(1.0, limit / norm) if norm > 0 else g for g in gradients]
