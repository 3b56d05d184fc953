# replaces: hvp
# loses: 12
# hint: You added up the entries. How each entry of the gradient changes was asked for: return a list.


def hvp(gradient, point, direction):
    duals = [mg.Dual(p, d) for p, d in zip(point, direction)]
    return sum(g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(*duals))
