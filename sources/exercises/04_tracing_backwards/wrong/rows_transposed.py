# replaces: rows
# loses: 2
# hint: It is the transpose: the outer list has an entry for each input. Asked for is a list of rows, one for each
#   output.


def jacobian_rows(f, x):
    tape, inputs, outputs = record(f, x)
    passes = [backward_pass(tape, {name: 1.0}) for name in outputs]
    return [[adjoint[name] for adjoint in passes] for name in inputs]
