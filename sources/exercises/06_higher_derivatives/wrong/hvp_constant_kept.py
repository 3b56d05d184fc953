# replaces: hvp
# loses: 5
# hint: The entry 2.0 of the gradient is a constant, and you return it as it is. How it CHANGES was asked for.


def hvp(gradient, point, direction):
    duals = [mg.Dual(p, d) for p, d in zip(point, direction)]
    return [g.tangent if isinstance(g, mg.Dual) else g for g in gradient(*duals)]
