# replaces: kept
# loses: 3
# hint: The result is right, but each operation still makes an array, and the last line only copies into out. Each
#   operation needs an out= of its own.


def chain_kept(x, a, b, out, work):
    z = a * x + b
    v = z * z
    out[:] = v / (1 + v)
