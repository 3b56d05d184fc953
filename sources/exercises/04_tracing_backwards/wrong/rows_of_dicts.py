# replaces: rows
# loses: 2
# hint: Each row should be a list of numbers: the adjoints of the inputs. You return the dict of all adjoints.


def jacobian_rows(f, x):
    tape, inputs, outputs = record(f, x)
    return [[backward_pass(tape, {name: 1.0})] for name in outputs]
