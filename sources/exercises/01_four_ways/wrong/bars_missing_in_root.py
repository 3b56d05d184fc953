# replaces: best
# loses: 2
# hint: You take the root of a negative number, which is complex. Only the sizes of f and f''' count, not their
#   signs.


def best_h(f, f3, eps):
    return (3 * eps * f / (2 * f3)) ** (1 / 3)
