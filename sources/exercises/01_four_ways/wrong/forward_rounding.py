# replaces: bound
# loses: 1
# hint: The truncation error is right. The rounding error is that of the forward difference: here the distance
#   between the two points is 2h.


def bound(h, f, f3, eps):
    return h**2 / 6 * abs(f3) + eps * abs(f) / h
