# replaces: unbroadcast
# loses: 5
# hint: You take the largest of what came back to the copies. Each copy changes the result by itself, so all their
#   contributions add up.


def unbroadcast(adjoint, shape):
    while adjoint.ndim > len(shape):
        adjoint = adjoint.max(axis=0)
    for k, n in enumerate(shape):
        if n == 1:
            adjoint = adjoint.max(axis=k, keepdims=True)
    return adjoint
