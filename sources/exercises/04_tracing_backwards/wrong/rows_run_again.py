# replaces: rows
# loses: 2
# hint: f runs anew for each row. The tape of one run is enough: walk back along it once for each output.


def jacobian_rows(f, x):
    outputs = record(f, x)[2]
    return [vjp(f, x, [float(i == k) for i in range(len(outputs))]) for k in range(len(outputs))]
