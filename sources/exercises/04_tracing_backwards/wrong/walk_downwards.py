# replaces: walk
# loses: 8
# hint: You go down the tape. A row hands on what it has, and at that moment nothing has arrived at the
#   rows above. Which row is the first to know its whole adjoint?


def backward_pass(tape, weights):
    adjoint = {name: weights.get(name, 0.0) for name, _ in tape}
    for name, made_of in tape:
        for earlier, partial in made_of:
            adjoint[earlier] += partial * adjoint[name]
    return adjoint
