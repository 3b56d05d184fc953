# replaces: by_norm
# loses: 3
# hint: Each entry was cut at the limit, as in Task 1: that changes the direction. One factor for all of them.


def clip_by_norm(gradients, limit):
    n = np.sqrt(sum(np.sum(g**2) for g in gradients))
    return [np.clip(g, -limit, limit) if n > limit else g.copy() for g in gradients]
