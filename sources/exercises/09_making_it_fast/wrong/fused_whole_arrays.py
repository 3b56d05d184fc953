# replaces: fused
# loses: 3
# hint: That computes with whole arrays, and the test gives you arrays that only know single entries. Write one loop
#   over k.


def chain_fused(x, a, b, out):
    z = a * x + b
    v = z * z
    out[:] = v / (1 + v)
