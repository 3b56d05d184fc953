# replaces: kept
# loses: 3
# hint: b is missing: np.add without out= makes a new array that nobody looks at.


def chain_kept(x, a, b, out, work):
    np.multiply(x, a, out=out)
    np.add(out, b)
    np.multiply(out, out, out=out)
    np.add(out, 1, out=work)
    np.divide(out, work, out=out)
