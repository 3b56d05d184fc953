# replaces: bound
# loses: 1
# hint: The bending is right. The rounding is that of the forward difference: here the distance is 2h.


def bound(h, f, f3, eps):
    return h**2 / 6 * abs(f3) + eps * abs(f) / h
