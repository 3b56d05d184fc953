# replaces: best
# loses: 2
# hint: Upside down: where the curve bends more (f''' larger), h must be smaller.


def best_h(f, f3, eps):
    return (2 * abs(f3) / (3 * eps * abs(f))) ** (1 / 3)
