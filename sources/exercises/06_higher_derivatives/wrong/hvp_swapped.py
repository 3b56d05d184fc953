# replaces: hvp
# loses: 11
# hint: Value and tangent have changed places: the first argument of mg.Dual is the value, from the point; the
#   second is the tangent, from the direction.


def hvp(gradient, point, direction):
    duals = [mg.Dual(d, p) for p, d in zip(point, direction)]
    return [g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(*duals)]
