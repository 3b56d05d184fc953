# replaces: columns
# loses: 3
# hint: The seed of input k is its value. It is 1: how much does x grow when x grows by 1?


def jacobian_columns(f, x):
    cols = []
    for j in range(len(x)):
        y = f([Dual(v, v if i == j else 0.0) for i, v in enumerate(x)])
        cols.append([z.tangent if isinstance(z, Dual) else 0.0 for z in y])
    return [list(r) for r in zip(*cols)]
