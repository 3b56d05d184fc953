# replaces: hvp
# loses: 5
# hint: One entry of this gradient is the plain number 2.0, which has no tangent to read. It is a constant: by how
#   much does it change?


def hvp(gradient, point, direction):
    duals = [mg.Dual(p, d) for p, d in zip(point, direction)]
    return [g.tangent for g in gradient(*duals)]
