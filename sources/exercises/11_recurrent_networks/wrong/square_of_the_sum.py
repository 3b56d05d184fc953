# replaces: by_norm
# loses: 3
# hint: You squared the sum. First square each entry, then add up.


def clip_by_norm(gradients, limit):
    norm = np.sqrt(sum(np.sum(g) ** 2 for g in gradients))
    factor = min(1.0, limit / norm) if norm > 0 else 1.0
    return [factor * g for g in gradients]
