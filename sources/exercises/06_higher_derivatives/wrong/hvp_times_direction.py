# replaces: hvp
# loses: 12
# hint: The tangents are the product already. You multiplied them by the direction once more.


def hvp(gradient, point, direction):
    tangents = [g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(*map(mg.Dual, point, direction))]
    return [t * d for t, d in zip(tangents, direction)]
