# replaces: rows
# loses: 2
# hint: f runs once for each row. The tape of one run is enough: go back along it once for each output.


def jacobian_rows(f, x):
    outputs = record(f, x)[2]
    return [vjp(f, x, [float(i == k) for i in range(len(outputs))]) for k in range(len(outputs))]
