# replaces: kept
# loses: 3
# hint: `out = ...` gives the name out to a new array; the caller's array never hears of it. To write into an array,
#   hand it to a function as out=.


def chain_kept(x, a, b, out, work):
    z = a * x + b
    v = z * z
    out = v / (1 + v)
    return out
