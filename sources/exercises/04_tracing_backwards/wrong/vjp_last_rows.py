# replaces: vjp
# loses: 3
# hint: The last rows of the tape need not be the outputs: an output may stand further up, as `a` does here.
#   record() gives you their names.


def vjp(f, x, w):
    tape, inputs, _ = record(f, x)
    names = [name for name, _ in tape][-len(w) :]
    adjoint = backward_pass(tape, dict(zip(names, w)))
    return [adjoint[name] for name in inputs]
