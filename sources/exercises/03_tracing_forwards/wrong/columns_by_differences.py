# replaces: columns
# loses: 3
# hint: One call more than there are inputs: a forward difference needs the point itself as well, and it is not
#   exact either. A dual number brings value and derivative in one call.


def jacobian_columns(f, x):
    h = 1e-6
    plain = f(list(x))
    columns = []
    for k in range(len(x)):
        moved = f([value + h * (i == k) for i, value in enumerate(x)])
        columns.append([(b - a) / h for a, b in zip(plain, moved)])
    return [list(row) for row in zip(*columns)]
