# replaces: by_norm
# loses: 3
# hint: You added the lengths of the arrays, 3 + 4. Two legs at a right angle are not that far: add the squares, then
#   take the root.


def clip_by_norm(gradients, limit):
    norm = sum(np.linalg.norm(g) for g in gradients)
    return [g * min(1.0, limit / norm) if norm > 0 else g for g in gradients]
