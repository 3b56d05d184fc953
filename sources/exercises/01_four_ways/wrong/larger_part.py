# replaces: bound
# loses: 1
# hint: You take the larger of the two parts. Both errors can happen at the same time: their sum was asked for.


def bound(h, f, f3, eps):
    return max(h**2 / 6 * abs(f3), eps * abs(f) / (2 * h))
