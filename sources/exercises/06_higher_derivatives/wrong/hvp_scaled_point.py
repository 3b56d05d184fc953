# replaces: hvp
# loses: 12
# hint: You put the direction into the value: the gradient was asked at another point, and no passenger rode
#   along. The direction belongs into the second seat of each dual.


def hvp(gradient, point, direction):
    duals = [mg.Dual(p + d) for p, d in zip(point, direction)]
    return [g.tangent if isinstance(g, mg.Dual) else 0.0 for g in gradient(*duals)]
