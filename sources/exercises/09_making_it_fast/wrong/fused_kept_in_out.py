# replaces: fused
# loses: 3
# hint: out was read, or written more than once. Keep what is needed in between in a plain variable: it stays in a
#   register of the processor.


def chain_fused(x, a, b, out):
    for k in range(len(x)):
        out[k] = a * x[k] + b
        out[k] = out[k] * out[k]
        out[k] = out[k] / (1 + out[k])
