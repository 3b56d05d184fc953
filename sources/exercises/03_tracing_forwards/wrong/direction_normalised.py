# replaces: direction
# loses: 2
# hint: You made the direction a unit vector first. J u was asked for, for u as it is: twice the direction
#   gives twice the speed.


def along(f, x, u):
    size = math.sqrt(sum(a * a for a in u)) or 1.0
    return [getattr(y, "tangent", 0.0) for y in f([Dual(v, a / size) for v, a in zip(x, u)])]
