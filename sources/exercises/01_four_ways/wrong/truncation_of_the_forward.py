# replaces: bound
# loses: 1
# hint: The truncation error is that of the forward difference, h / 2. Here the term with f'' cancels, and
#   what is left goes with h².


def bound(h, f, f3, eps):
    return h / 2 * abs(f3) + eps * abs(f) / (2 * h)
