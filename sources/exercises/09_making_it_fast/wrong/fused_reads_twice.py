# replaces: fused
# loses: 3
# hint: x[k] is read from its array every time it occurs in your formula. Read it once, into a variable.


def chain_fused(x, a, b, out):
    for k in range(len(x)):
        v = (a * x[k] + b) * (a * x[k] + b)
        out[k] = v / (1 + v)
