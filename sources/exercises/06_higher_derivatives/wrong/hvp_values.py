# replaces: hvp
# loses: 12
# hint: That is the gradient itself, the values. How it changes is in the tangents.


def hvp(gradient, point, direction):
    duals = [mg.Dual(p, d) for p, d in zip(point, direction)]
    return [g.value if isinstance(g, mg.Dual) else g for g in gradient(*duals)]
