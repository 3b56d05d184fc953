# replaces: by_norm
# loses: 3
# hint: Where nothing has to be clipped, you hand back the very arrays that you were given. Whoever changes
#   the result changes the gradients, too: new arrays were asked for, also there.


def clip_by_norm(gradients, limit):
    norm = np.sqrt(sum(np.sum(g**2) for g in gradients))
    if norm <= limit:
        return gradients
    return [limit / norm * g for g in gradients]
