# replaces: by_norm
# loses: 3
# hint: You used a norm for each array. The gradient is one vector, made of all arrays together: one norm, one
#   factor.


def clip_by_norm(gradients, limit):
    clipped = []
    for g in gradients:
        norm = np.linalg.norm(g)
        clipped.append(g * min(1.0, limit / norm) if norm > 0 else g)
    return clipped
