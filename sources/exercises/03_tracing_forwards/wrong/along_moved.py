# replaces: direction
# loses: 2
# hint: The values were moved along u, too. The derivative is taken at x: the direction belongs into the tangents
#   alone.


def along(f, x, u):
    y = f([Dual(a + b, b) for a, b in zip(x, u)])
    return [z.tangent if isinstance(z, Dual) else 0.0 for z in y]
