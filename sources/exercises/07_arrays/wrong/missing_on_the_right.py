# replaces: unbroadcast
# loses: 4
# hint: You sum over the last axes. Shapes are compared from the right, so the axes that a smaller array lacks are
#   the first ones: a (3,) in a (4, 3) is a row, copied downwards.


def unbroadcast(adjoint, shape):
    while adjoint.ndim > len(shape):
        adjoint = adjoint.sum(axis=-1)
    stretched = tuple(k for k, size in enumerate(shape) if size == 1)
    return adjoint.sum(axis=stretched, keepdims=True)
