# replaces: bound
# loses: 1
# hint: The bars stand around the whole sum. If f and f''' have opposite signs, the two parts cancel then. Each part
#   needs its own.


def bound(h, f, f3, eps):
    return abs(h**2 / 6 * f3 + eps * f / (2 * h))
