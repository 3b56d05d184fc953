# replaces: rows
# loses: 2
# hint: Each of your backward passes starts with 1 at all outputs, so every row is the sum of all rows. A row
#   belongs to one output.


def jacobian_rows(f, x):
    tape, inputs, outputs = record(f, x)
    walks = [backward_pass(tape, dict.fromkeys(outputs, 1.0)) for _ in outputs]
    return [[adjoint[name] for name in inputs] for adjoint in walks]
