# replaces: fused
# loses: 3
# hint: b was multiplied by a as well: z is a x + b, and the product comes first.


def chain_fused(x, a, b, out):
    for k in range(len(x)):
        z = a * (x[k] + b)
        out[k] = z * z / (1 + z * z)
