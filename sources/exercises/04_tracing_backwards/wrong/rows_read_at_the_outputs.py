# replaces: rows
# loses: 2
# hint: You read off the adjoints of the outputs. The derivatives stand at the inputs.


def jacobian_rows(f, x):
    tape, inputs, outputs = record(f, x)
    passes = [backward_pass(tape, {name: 1.0}) for name in outputs]
    return [[adjoint[name] for name in outputs] for adjoint in passes]
    ### END SOLUTION
