# replaces: columns
# loses: 3
# hint: A plain number among the outputs does not depend on any input, so its derivatives are 0. You put its value
#   into the matrix.


def jacobian_columns(f, x):
    columns = []
    for k in range(len(x)):
        outputs = f([Dual(value, float(i == k)) for i, value in enumerate(x)])
        columns.append([y.tangent if isinstance(y, Dual) else y for y in outputs])
    return [list(row) for row in zip(*columns, strict=True)]
