# replaces: unbroadcast
# loses: 3
# hint: The sums are right, but an axis that was missing on the left is still there, with size 1. It must go; only
#   axes of size 1 keep their place.


def unbroadcast(adjoint, shape):
    for k in range(adjoint.ndim - len(shape)):
        adjoint = adjoint.sum(axis=k, keepdims=True)
    for k, n in enumerate(shape):
        if n == 1:
            adjoint = adjoint.sum(axis=k, keepdims=True)
    return adjoint
