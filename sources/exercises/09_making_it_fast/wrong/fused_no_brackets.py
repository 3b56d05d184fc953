# replaces: fused
# loses: 3
# hint: Python reads v / 1 + v as (v / 1) + v. Where do brackets belong?


def chain_fused(x, a, b, out):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        out[k] = v / 1 + v
