# replaces: best
# loses: 2
# hint: f''' was negative, and a root of a negative number is complex. Only the sizes of f and f''' count.


def best_h(f, f3, eps):
    return (3 * eps * f / (2 * f3)) ** (1 / 3)
