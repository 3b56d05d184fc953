# replaces: walk
# loses: 6
# hint: Every output starts with 1 in your pass, whatever its weight is. The weights say what each output starts
#   with.


def backward_pass(tape, weights):
    adjoint = {name: 1.0 if name in weights else 0.0 for name, _ in tape}
    for name, made_of in reversed(tape):
        for earlier, partial in made_of:
            adjoint[earlier] += partial * adjoint[name]
    return adjoint
