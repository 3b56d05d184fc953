# replaces: bound
# loses: 1
# hint: The two parts came separately. Add them up.


def bound(h, f, f3, eps):
    return h**2 / 6 * abs(f3), eps * abs(f) / (2 * h)
