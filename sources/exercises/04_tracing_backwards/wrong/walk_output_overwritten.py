# replaces: walk
# loses: 6
# hint: An output may be used by another row, too. Then it has the weight it started with AND the share that comes
#   from below. You put one in place of the other.


def backward_pass(tape, weights):
    adjoint = {name: 0.0 for name, _ in tape}
    for name, made_of in reversed(tape):
        if name in weights:
            adjoint[name] = weights[name]
        for earlier, partial in made_of:
            adjoint[earlier] += partial * adjoint[name]
    return adjoint
