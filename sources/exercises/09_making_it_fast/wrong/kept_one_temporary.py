# replaces: kept
# loses: 3
# hint: The result is right, but one array is still made: an expression such as 1 + v, which has no out=. There is
#   `work` for it.


def chain_kept(x, a, b, out, work):
    np.multiply(x, a, out=out)
    np.add(out, b, out=out)
    np.multiply(out, out, out=out)
    np.divide(out, 1 + out, out=out)
