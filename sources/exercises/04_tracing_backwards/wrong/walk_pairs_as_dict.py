# replaces: walk
# loses: 6
# hint: A row may be made of the same value twice: two pairs with one name. In a dict of pairs the second replaces
#   the first, and half of the share is gone.


def backward_pass(tape, weights):
    adjoint = {name: weights.get(name, 0.0) for name, _ in tape}
    for name, made_of in reversed(tape):
        for earlier, partial in dict(made_of).items():
            adjoint[earlier] += partial * adjoint[name]
    return adjoint
