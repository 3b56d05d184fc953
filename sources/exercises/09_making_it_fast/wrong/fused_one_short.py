# replaces: fused
# loses: 3
# hint: The last number is missing: it still has what was there before. range(n) ends before n by itself.


def chain_fused(x, a, b, out):
    for k in range(len(x) - 1):
        z = a * x[k] + b
        v = z * z
        out[k] = v / (1 + v)
