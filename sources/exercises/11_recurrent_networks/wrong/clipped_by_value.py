# replaces: by_norm
# loses: 3
# hint: The entries were clipped one by one, which changes the direction. Multiply all of them by one factor.


def clip_by_norm(gradients, limit):
    norm = np.sqrt(sum(np.sum(g**2) for g in gradients))
    factor = min(1.0, limit / norm) if norm > 0 else 1.0
    return [np.clip(g, -factor, factor) for g in gradients]
