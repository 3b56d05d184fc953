# replaces: direction
# loses: 2
# hint: You added up the outputs. Each output has a speed of its own: return a list.


def along(f, x, u):
    outputs = f([Dual(value, speed) for value, speed in zip(x, u, strict=True)])
    return sum(y.tangent if isinstance(y, Dual) else 0.0 for y in outputs)
