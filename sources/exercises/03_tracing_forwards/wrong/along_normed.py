# replaces: direction
# loses: 2
# hint: The direction was scaled to length 1. J u was asked for: a direction twice as long changes the outputs twice
#   as fast.


def along(f, x, u):
    n = math.sqrt(sum(v * v for v in u))
    y = f([Dual(a, b / n) for a, b in zip(x, u)])
    return [z.tangent if isinstance(z, Dual) else 0.0 for z in y]
