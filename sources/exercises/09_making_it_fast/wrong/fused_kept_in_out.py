# replaces: fused
# loses: 3
# hint: You used out as a note pad: written, read back, written again. A plain variable lives in a register of the
#   processor and costs no walk.


def chain_fused(x, a, b, out):
    for k in range(len(x)):
        out[k] = a * x[k] + b
        out[k] = out[k] * out[k]
        out[k] = out[k] / (1 + out[k])
