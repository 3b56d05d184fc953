# replaces: by_norm
# loses: 3
# hint: You took the largest entry for the length. The norm is the root of the sum of ALL squares.


def clip_by_norm(gradients, limit):
    norm = np.sqrt(sum(np.max(np.abs(g)) ** 2 for g in gradients))
    factor = min(1.0, limit / norm) if norm > 0 else 1.0
    return [factor * g for g in gradients]
