# replaces: hvp
# loses: 4
# hint: The product is right, but you call the gradient once for each input and add up. All tangents can go through
#   one call together.


def hvp(gradient, point, direction):
    total = [0.0] * len(point)
    for k in range(len(point)):
        duals = [mg.Dual(p, d if i == k else 0.0) for i, (p, d) in enumerate(zip(point, direction))]
        found = gradient(*duals)
        total = [t + (g.tangent if isinstance(g, mg.Dual) else 0.0) for t, g in zip(total, found)]
    return total
