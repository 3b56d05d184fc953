# replaces: bound
# loses: 1
# hint: In the rounding error h stands below the line once, not squared: a difference of two values is divided
#   by 2h.


def bound(h, f, f3, eps):
    return h**2 * abs(f3) / 6 + eps * abs(f) / (2 * h**2)
