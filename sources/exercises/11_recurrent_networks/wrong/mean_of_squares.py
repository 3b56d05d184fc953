# replaces: by_norm
# loses: 3
# hint: The norm is the root of the SUM of the squares. You took their mean.


def clip_by_norm(gradients, limit):
    norm = np.sqrt(sum(np.mean(g**2) for g in gradients))
    factor = min(1.0, limit / norm) if norm > 0 else 1.0
    return [factor * g for g in gradients]
