# replaces: rows
# loses: 2
# hint: The first row is right, and the second has the first one in it: the weights of the passes before are still
#   in your dict. Each row starts with a single 1.


def jacobian_rows(f, x):
    tape, ins, outs = record(f, x)
    rows, weights = [], {}
    for o in outs:
        weights[o] = 1.0
        bar = backward_pass(tape, weights)
        rows.append([bar[n] for n in ins])
    return rows
