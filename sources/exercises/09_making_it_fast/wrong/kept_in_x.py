# replaces: kept
# loses: 3
# hint: x has changed: you used the input as work space. Somebody else may still need it; that is what `work` is
#   for.


def chain_kept(x, a, b, out, work):
    np.multiply(x, a, out=x)
    np.add(x, b, out=x)
    np.multiply(x, x, out=out)
    np.add(out, 1, out=work)
    np.divide(out, work, out=out)
