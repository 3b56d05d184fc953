# replaces: direction
# loses: 2
# hint: One of the outputs is a plain number, which has no tangent to read. It does not depend on any input: what is
#   its speed?


def along(f, x, u):
    outputs = f([Dual(value, speed) for value, speed in zip(x, u, strict=True)])
    return [y.tangent for y in outputs]
