# replaces: direction
# loses: 2
# hint: You move every input with speed 1, whatever u says. The speed of input k is u[k].


def along(f, x, u):
    outputs = f([Dual(value, 1.0) for value in x])
    return [y.tangent if isinstance(y, Dual) else 0.0 for y in outputs]
