# replaces: by_norm
# loses: 3
# hint: The factor is never below 1 in yours, so nothing is shortened. Which of 1 and limit / norm is to be taken,
#   the smaller or the larger?


def clip_by_norm(gradients, limit):
    norm = np.sqrt(sum(np.sum(g**2) for g in gradients))
    factor = max(1.0, limit / norm) if norm > 0 else 1.0
    return [factor * g for g in gradients]
