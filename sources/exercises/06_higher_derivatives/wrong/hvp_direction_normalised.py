# replaces: hvp
# loses: 3
# hint: You made the direction a unit vector first. The product with the direction as it is was asked for.


def hvp(gradient, point, direction):
    d = np.array(direction, float)
    d = d / np.linalg.norm(d)
    return [getattr(g, "tangent", 0.0) for g in gradient(*[mg.Dual(p, q) for p, q in zip(point, d)])]
