# replaces: rows
# loses: 2
# hint: Your backward passes start at the inputs, where nothing is passed on any more. A row of the Jacobian belongs
#   to an output: start there.


def jacobian_rows(f, x):
    tape, inputs, outputs = record(f, x)
    passes = [backward_pass(tape, {name: 1.0}) for name in inputs]
    return [[adjoint[name] for name in inputs] for adjoint in passes]
