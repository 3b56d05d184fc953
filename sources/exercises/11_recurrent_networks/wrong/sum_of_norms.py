# replaces: by_norm
# loses: 3
# hint: You added the norms of the arrays, 3 + 4. Add the squares of all entries, then take one root.


def clip_by_norm(gradients, limit):
    norm = sum(np.linalg.norm(g) for g in gradients)
    return [g * min(1.0, limit / norm) if norm > 0 else g for g in gradients]
