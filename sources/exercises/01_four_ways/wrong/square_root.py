# replaces: best
# loses: 2
# hint: A square root, as for the forward difference. But here h² times h makes h³: which root undoes that?


def best_h(f, f3, eps):
    return (3 * eps * abs(f) / (2 * abs(f3))) ** 0.5
