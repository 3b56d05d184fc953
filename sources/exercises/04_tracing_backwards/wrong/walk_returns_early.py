# replaces: walk
# loses: 8
# hint: Your pass ends after one row: does `return` stand inside the loop?


def backward_pass(tape, weights):
    adjoint = {name: weights.get(name, 0.0) for name, _ in tape}
    for name, made_of in reversed(tape):
        for earlier, partial in made_of:
            adjoint[earlier] += partial * adjoint[name]
        return adjoint
