# replaces: kept
# loses: 3
# hint: out still holds the old numbers: does a line say `out = ...`? That gives the name out to a new array, and
#   the caller's array stays as it was. Write into it with out=.


def chain_kept(x, a, b, out, work):
    z = a * x + b
    v = z * z
    out = v / (1 + v)
    return out
