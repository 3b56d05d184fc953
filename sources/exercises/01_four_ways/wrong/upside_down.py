# replaces: best
# loses: 2
# hint: The best h should get smaller as f''' grows, and yours gets larger: is the fraction upside down?


def best_h(f, f3, eps):
    return (2 * abs(f3) / (3 * eps * abs(f))) ** (1 / 3)
