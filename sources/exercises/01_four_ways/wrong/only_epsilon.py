# replaces: best
# loses: 2
# hint: The result is 1, whatever the numbers are: in Python 1 // 3 is 0. Or does your formula leave out f and f'''?


def best_h(f, f3, eps):
    return eps ** (1 / 3)
