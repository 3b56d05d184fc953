# replaces: kept
# loses: 3
# hint: The result has to arrive in out. Where does the last line write?


def chain_kept(x, a, b, out, work):
    np.multiply(x, a, out=out)
    np.add(out, b, out=out)
    np.multiply(out, out, out=out)
    np.add(out, 1, out=work)
    np.divide(out, work, out=work)
