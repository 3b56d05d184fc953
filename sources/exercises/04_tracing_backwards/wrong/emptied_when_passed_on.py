# replaces: walk
# loses: 3
# hint: A row that has passed on what it has is set to 0, and its adjoint is lost. It passes on a share of it,
#   and keeps it: the adjoint of EVERY row was asked for.


def backward_pass(tape, weights):
    adjoint = {name: weights.get(name, 0.0) for name, _ in tape}
    for name, made_of in reversed(tape):
        for earlier, partial in made_of:
            adjoint[earlier] += partial * adjoint[name]
        if made_of:
            adjoint[name] = 0.0
    return adjoint
