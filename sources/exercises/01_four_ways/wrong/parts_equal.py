# replaces: best
# loses: 2
# hint: You set the two parts equal. Their sum is smallest where their slopes cancel, and that is not the same place
#   when one part is h² and the other 1/h.


def best_h(f, f3, eps):
    return (3 * eps * abs(f) / abs(f3)) ** (1 / 3)
