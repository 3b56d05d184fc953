# replaces: columns
# loses: 3
# hint: Every pass of yours moves all inputs at once, so each column is the sum of all columns. In pass k only input
#   k has the tangent 1.


def jacobian_columns(f, x):
    columns = []
    for k in range(len(x)):
        outputs = f([Dual(value, 1.0) for value in x])
        columns.append([y.tangent if isinstance(y, Dual) else 0.0 for y in outputs])
    return [list(row) for row in zip(*columns)]
