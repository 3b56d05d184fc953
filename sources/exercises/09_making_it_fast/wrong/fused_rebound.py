# replaces: fused
# loses: 3
# hint: The array out is untouched: `out = ...` gives the name to something else. Write into its place k.


def chain_fused(x, a, b, out):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        out = v / (1 + v)
