# replaces: fused
# loses: 3
# hint: x[k] is fetched from its array each time it is written down in your formula. Fetch it once, into a variable,
#   and go on with that.


def chain_fused(x, a, b, out):
    for k in range(len(x)):
        v = (a * x[k] + b) * (a * x[k] + b)
        out[k] = v / (1 + v)
