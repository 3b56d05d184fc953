# replaces: columns
# loses: 3
# hint: It is the transpose: each of your inner lists is a column, the answer of one pass. The result should have a
#   row for each output.


def jacobian_columns(f, x):
    columns = []
    for k in range(len(x)):
        outputs = f([Dual(value, float(i == k)) for i, value in enumerate(x)])
        columns.append([y.tangent if isinstance(y, Dual) else 0.0 for y in outputs])
    return columns
