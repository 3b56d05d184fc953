# replaces: columns
# loses: 3
# hint: All rows are equal: [[0.0] * n] * m holds m times the SAME list, so each entry that you write shows in all
#   of them. Make a new list for each row.


def jacobian_columns(f, x):
    n = len(f([Dual(v) for v in x]))
    J = [[0.0] * len(x)] * n
    for j in range(len(x)):
        y = f([Dual(v, float(i == j)) for i, v in enumerate(x)])
        for i, z in enumerate(y):
            J[i][j] = z.tangent if isinstance(z, Dual) else 0.0
    return J
