# replaces: columns
# loses: 3
# hint: One of the outputs is a plain number, which has no tangent to read. It does not depend on any
#   input: what is its derivative?


def jacobian_columns(f, x):
    columns = []
    for k in range(len(x)):
        outputs = f([Dual(value, float(i == k)) for i, value in enumerate(x)])
        columns.append([y.tangent for y in outputs])
    return [list(row) for row in zip(*columns)]
