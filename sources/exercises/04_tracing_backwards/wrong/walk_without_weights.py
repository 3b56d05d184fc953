# replaces: walk
# loses: 8
# hint: All adjoints are 0: where do the weights come in?


def backward_pass(tape, weights):
    adjoint = {name: 0.0 for name, _ in tape}
    for name, made_of in reversed(tape):
        for earlier, partial in made_of:
            adjoint[earlier] += partial * adjoint[name]
    return adjoint
