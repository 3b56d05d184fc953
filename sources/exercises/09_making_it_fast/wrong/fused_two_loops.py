# replaces: fused
# loses: 3
# hint: Two loops read and write twice: the second one has to fetch again what the first one has just had. Put both
#   lines into one loop, with v as a plain variable.


def chain_fused(x, a, b, out):
    for k in range(len(x)):
        z = a * x[k] + b
        out[k] = z * z
    for k in range(len(x)):
        v = out[k]
        out[k] = v / (1 + v)
