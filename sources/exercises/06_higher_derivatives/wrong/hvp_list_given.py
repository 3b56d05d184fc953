# replaces: hvp
# loses: 12
# hint: A gradient takes the numbers one by one, gradient(x, y), and you gave it one list. A star in front of the
#   list takes it apart.


def hvp(gradient, point, direction):
    duals = [mg.Dual(p, d) for p, d in zip(point, direction)]
    return [g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(duals)]
