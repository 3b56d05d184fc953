# replaces: by_norm
# loses: 3
# hint: A short gradient was made longer. Clipping only ever shortens: small gradients near a minimum must stay
#   small.


def clip_by_norm(gradients, limit):
    norm = np.sqrt(sum(np.sum(g**2) for g in gradients))
    return [g * limit / norm if norm > 0 else g for g in gradients]
