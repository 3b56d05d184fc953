# replaces: by_value
# loses: 2
# hint: You scaled the whole array, so small entries changed as well. Clipping by value only touches the entries
#   beyond the limit.


def clip_by_value(gradients, limit):
    out = []
    for g in gradients:
        m = np.abs(g).max()
        out.append(g * limit / m if m > limit else g.copy())
    return out
