# replaces: fused
# loses: 3
# hint: z was not squared: the chain has v = z², and only then v / (1 + v).


def chain_fused(x, a, b, out):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z
        out[k] = v / (1 + v)
