# replaces: by_value
# loses: 2
# hint: Where nothing has to be clipped, you hand back the very arrays that you were given. Whoever changes
#   the result changes the gradients, too: new arrays were asked for, also there.


def clip_by_value(gradients, limit):
    return [g if np.abs(g).max() <= limit else np.clip(g, -limit, limit) for g in gradients]
