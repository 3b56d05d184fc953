# replaces: walk
# loses: 3
# hint: You sort the rows by name. With names such as v1 to v8 that happens to be the order of the tape; in general
#   the names say nothing about the order. Go through the tape itself, from its end.


def backward_pass(tape, weights):
    adjoint = {name: weights.get(name, 0.0) for name, _ in tape}
    for name, made_of in sorted(tape, reverse=True):
        for earlier, partial in made_of:
            adjoint[earlier] += partial * adjoint[name]
    return adjoint
