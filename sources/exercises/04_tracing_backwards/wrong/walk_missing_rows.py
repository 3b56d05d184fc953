# replaces: walk
# loses: 5
# hint: Rows that received nothing are not in your dict. Their adjoint is 0, and that is an answer as well.


def backward_pass(tape, weights):
    adjoint = dict(weights)
    for name, made_of in reversed(tape):
        for earlier, partial in made_of:
            if name in adjoint:
                adjoint[earlier] = adjoint.get(earlier, 0.0) + partial * adjoint[name]
    return adjoint
