# replaces: hvp
# loses: 12
# hint: Every tangent is 1, whatever the direction is: you asked how the gradient changes when all inputs change
#   alike. Where does the direction come in?


def hvp(gradient, point, direction):
    duals = [mg.Dual(p, 1.0) for p in point]
    return [g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(*duals)]
