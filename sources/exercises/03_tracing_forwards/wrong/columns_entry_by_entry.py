# replaces: columns
# loses: 3
# hint: You call f once for each entry of the matrix. One pass gives the derivatives of ALL outputs with respect to
#   one input: keep the whole column.


def jacobian_columns(f, x):
    def entry(j, k):
        y = f([Dual(value, float(i == k)) for i, value in enumerate(x)])[j]
        return y.tangent if isinstance(y, Dual) else 0.0

    outputs = len(f([Dual(value, 0.0) for value in x]))
    return [[entry(j, k) for k in range(len(x))] for j in range(outputs)]
