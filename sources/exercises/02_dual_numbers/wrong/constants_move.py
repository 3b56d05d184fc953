# replaces: apart
# loses: 2
# hint: Numbers that are constants in this derivative got the tangent 1, as if they were the variable. A constant's
#   tangent is 0.


# as_duals and derivative once more: each derivative with a tag of its own.
def as_duals(*numbers):
    tag = max(n.tag for n in numbers if isinstance(n, Dual))
    return [n if isinstance(n, Dual) and n.tag == tag else Dual(n, 1.0, tag) for n in numbers]


def derivative(f, x):
    tag = new_tag()
    result = f(Dual(x, 1.0, tag))
    return result.tangent if isinstance(result, Dual) and result.tag == tag else 0.0
