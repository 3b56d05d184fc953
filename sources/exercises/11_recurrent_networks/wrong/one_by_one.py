# replaces: by_norm
# loses: 3
# hint: You gave each array a length of its own. The arrow is made of all of them together: one length, one factor.


def clip_by_norm(gradients, limit):
    clipped = []
    for g in gradients:
        norm = np.linalg.norm(g)
        clipped.append(g * min(1.0, limit / norm) if norm > 0 else g)
    return clipped
