# replaces: unbroadcast
# loses: 5
# hint: Every entry of your result is the sum of ALL entries. Only the axes that were copied along are summed, one
#   after the other.


def unbroadcast(adjoint, shape):
    if adjoint.shape != tuple(shape):
        return adjoint.sum() * np.ones(shape)
    return adjoint
