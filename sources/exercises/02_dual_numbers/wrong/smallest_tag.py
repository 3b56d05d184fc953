# replaces: apart
# loses: 2
# hint: The inner derivative came out as 0. Two things do that: as_duals chose the smallest tag instead of the
#   largest, so that y became a constant; or it wraps constants without the tag (Dual's third argument), so that the
#   result has another one.


def as_duals(*numbers):
    tag = min(n.tag for n in numbers if isinstance(n, Dual))
    return [n if isinstance(n, Dual) and n.tag == tag else Dual(n, 0.0, tag) for n in numbers]


def derivative(f, x):
    tag = new_tag()
    result = f(Dual(x, 1.0, tag))
    return result.tangent if isinstance(result, Dual) and result.tag == tag else 0.0
