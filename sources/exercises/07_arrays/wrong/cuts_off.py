# replaces: unbroadcast
# loses: 2
# hint: You cut off what is too much. Every copy counts: what was copied along an axis has to be summed over
#   it, and not left out.


def unbroadcast(adjoint, shape):
    while adjoint.ndim > len(shape):
        adjoint = adjoint.sum(axis=0)
    return adjoint.reshape(-1)[: int(np.prod(shape))].reshape(shape)
