# replaces: kept
# loses: 3
# hint: z was not squared: the chain has v = z², and only then v / (1 + v).


def chain_kept(x, a, b, out, work):
    np.multiply(x, a, out=out)
    np.add(out, b, out=out)
    np.add(out, 1, out=work)
    np.divide(out, work, out=out)
