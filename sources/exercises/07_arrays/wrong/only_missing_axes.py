# replaces: unbroadcast
# loses: 2
# hint: You sum over the axes that were missing on the left, and leave those of size 1 as they are. A column (4, 1)
#   in a (4, 3) was copied along the last axis: all axes are there, and one of them was stretched.


def unbroadcast(adjoint, shape):
    while adjoint.ndim > len(shape):
        adjoint = adjoint.sum(axis=0)
    return adjoint
