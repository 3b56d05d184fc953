# replaces: kept
# loses: 3
# hint: The fraction is upside down: v is above the line, 1 + v below.


def chain_kept(x, a, b, out, work):
    np.multiply(x, a, out=out)
    np.add(out, b, out=out)
    np.multiply(out, out, out=out)
    np.add(out, 1, out=work)
    np.divide(work, out, out=out)
