# replaces: kept
# loses: 3
# hint: All results are 1: 1 + v was written over v, and the last line divides 1 + v by itself. Both are needed at
#   the same time, so they need two arrays.


def chain_kept(x, a, b, out, work):
    np.multiply(x, a, out=work)
    np.add(work, b, out=work)
    np.multiply(work, work, out=work)
    np.add(work, 1, out=work)
    np.divide(work, work, out=out)
