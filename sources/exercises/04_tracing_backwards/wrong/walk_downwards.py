# replaces: walk
# loses: 8
# hint: You go down the tape. A row passes on what it has, and the rows at the top have not received anything yet.
#   Which row is the first whose adjoint is complete?


def backward_pass(tape, weights):
    adjoint = {name: weights.get(name, 0.0) for name, _ in tape}
    for name, made_of in tape:
        for earlier, partial in made_of:
            adjoint[earlier] += partial * adjoint[name]
    return adjoint
