# replaces: direction
# loses: 2
# hint: Value and tangent have changed places: the first argument of Dual is the value, from x, the second the
#   tangent, from u.


def along(f, x, u):
    outputs = f([Dual(speed, value) for value, speed in zip(x, u, strict=True)])
    return [y.tangent if isinstance(y, Dual) else 0.0 for y in outputs]
