# replaces: walk
# loses: 8
# hint: The share goes to the wrong row: a row passes on to the rows that it was made of, and keeps what it has.


def backward_pass(tape, weights):
    adjoint = {name: weights.get(name, 0.0) for name, _ in tape}
    for name, made_of in reversed(tape):
        for earlier, partial in made_of:
            adjoint[name] += partial * adjoint[earlier]
    return adjoint
