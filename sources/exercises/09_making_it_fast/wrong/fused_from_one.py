# replaces: fused
# loses: 3
# hint: The first number is missing: it still has what was there before. Places count from 0.


def chain_fused(x, a, b, out):
    for k in range(1, len(x)):
        z = a * x[k] + b
        v = z * z
        out[k] = v / (1 + v)
