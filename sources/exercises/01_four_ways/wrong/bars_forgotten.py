# replaces: bound
# loses: 1
# hint: The sign: an error bound is never negative. Where f or f''' is negative, its absolute value counts.


def bound(h, f, f3, eps):
    return h**2 / 6 * f3 + eps * f / (2 * h)
