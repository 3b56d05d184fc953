# replaces: kept
# loses: 3
# hint: b was added before the multiplication: that is a (x + b).


def chain_kept(x, a, b, out, work):
    np.add(x, b, out=out)
    np.multiply(out, a, out=out)
    np.multiply(out, out, out=out)
    np.add(out, 1, out=work)
    np.divide(out, work, out=out)
