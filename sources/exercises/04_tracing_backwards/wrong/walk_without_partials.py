# replaces: walk
# loses: 8
# hint: The adjoint is passed on as it is, but there is a factor: the partial derivative beside the name.


def backward_pass(tape, weights):
    adjoint = {name: weights.get(name, 0.0) for name, _ in tape}
    for name, made_of in reversed(tape):
        for earlier, partial in made_of:
            adjoint[earlier] += adjoint[name]
    return adjoint
