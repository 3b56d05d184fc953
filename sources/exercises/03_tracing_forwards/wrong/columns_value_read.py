# replaces: columns
# loses: 3
# hint: Those are the values of the outputs, 24 and 14. The derivatives are the tangents.


def jacobian_columns(f, x):
    columns = []
    for k in range(len(x)):
        outputs = f([Dual(value, float(i == k)) for i, value in enumerate(x)])
        columns.append([y.value if isinstance(y, Dual) else 0.0 for y in outputs])
    return [list(row) for row in zip(*columns)]
