# replaces: by_norm
# loses: 3
# hint: The factor is upside down: to get from norm 5 to norm 1, divide by 5.


def clip_by_norm(gradients, limit):
    norm = np.sqrt(sum(np.sum(g**2) for g in gradients))
    factor = min(1.0, norm / limit) if norm > 0 else 1.0
    return [factor * g for g in gradients]
