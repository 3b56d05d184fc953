# replaces: rows
# loses: 2
# hint: f runs once more for each row: vjp records it anew every time. Record once, and use backward_pass on that
#   tape for each output.


def jacobian_rows(f, x):
    m = len(record(f, x)[2])
    return [vjp(f, x, [float(i == k) for i in range(m)]) for k in range(m)]
