# replaces: by_norm
# loses: 3
# hint: You measured the first array only. The gradient is one vector, made of all arrays: their squares all
#   belong under the root.


def clip_by_norm(gradients, limit):
    norm = np.linalg.norm(gradients[0])
    return [g * min(1.0, limit / norm) if norm else g.copy() for g in gradients]
