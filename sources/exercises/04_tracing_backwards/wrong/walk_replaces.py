# replaces: walk
# loses: 8
# hint: The shares do not add up: a share that arrives replaces the one before, so that x1 keeps only the last. x1
#   is used four times.


def backward_pass(tape, weights):
    adjoint = {name: weights.get(name, 0.0) for name, _ in tape}
    for name, made_of in reversed(tape):
        for earlier, partial in made_of:
            adjoint[earlier] = partial * adjoint[name]
    return adjoint
