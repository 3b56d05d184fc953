# replaces: hvp
# loses: 12
# hint: The tangents were all 1, and the direction came in afterwards, entry by entry. It must go IN: it says how
#   fast each input moves.


def hvp(gradient, point, direction):
    g = gradient(*[mg.Dual(p, 1.0) for p in point])
    return [(a.tangent if isinstance(a, mg.Dual) else 0.0) * d for a, d in zip(g, direction)]
