# replaces: columns
# loses: 3
# hint: One call more than there are inputs: you called f only to see how many outputs there are. The first pass
#   tells you that as well.


def jacobian_columns(f, x):
    m = len(f(x))
    J = [[0.0] * len(x) for _ in range(m)]
    for j in range(len(x)):
        y = f([Dual(v, float(i == j)) for i, v in enumerate(x)])
        for i, z in enumerate(y):
            J[i][j] = z.tangent if isinstance(z, Dual) else 0.0
    return J
