# replaces: central
# loses: 1
# hint: That is the forward difference again: nearly right for a small step, and visibly wrong for 0.5. The left point
#   is x - h.


def central_difference(f, x, h):
    return (f(x + h) - f(x)) / h
