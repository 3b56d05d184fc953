# replaces: rows
# loses: 2
# hint: The rows are in reverse order: the first row belongs to the first output.


def jacobian_rows(f, x):
    tape, inputs, outputs = record(f, x)
    passes = [backward_pass(tape, {name: 1.0}) for name in reversed(outputs)]
    return [[adjoint[name] for name in inputs] for adjoint in passes]
