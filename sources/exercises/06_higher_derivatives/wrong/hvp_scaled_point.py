# replaces: hvp
# loses: 12
# hint: You put the direction into the value: the gradient was computed at another point, and without tangents. The
#   direction is the second part of each dual.


def hvp(gradient, point, direction):
    duals = [mg.Dual(p + d) for p, d in zip(point, direction)]
    return [g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(*duals)]
