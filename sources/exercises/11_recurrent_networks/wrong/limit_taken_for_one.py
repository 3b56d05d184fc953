# replaces: by_norm
# loses: 3
# hint: Right for the limit 1, but `limit` does not occur in your factor.


def clip_by_norm(gradients, limit):
    norm = np.sqrt(sum(np.sum(g**2) for g in gradients))
    factor = min(1.0, 1.0 / norm) if norm > 0 else 1.0
    return [factor * g for g in gradients]
