# replaces: columns
# loses: 3
# hint: An output that is a plain number is missing from your result. It does not depend on the inputs, and its row
#   is full of zeros: the row must be there.


def jacobian_columns(f, x):
    cols = []
    for j in range(len(x)):
        y = f([Dual(v, 1.0 if i == j else 0.0) for i, v in enumerate(x)])
        cols.append([z.tangent for z in y if isinstance(z, Dual)])
    return [list(r) for r in zip(*cols)]
