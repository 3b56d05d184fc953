# replaces: fused
# loses: 3
# hint: The first entry is untouched: the line that writes out[k] stands after the loop, where k is the last place.
#   Indent it.


def chain_fused(x, a, b, out):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
    out[k] = v / (1 + v)
