# replaces: unbroadcast
# loses: 2
# hint: The sum over an axis of size 1 is right, but the axis is gone: a (4, 1) comes back as a (4,). The adjoint
#   must have the shape of the input. What does `keepdims` do?


def unbroadcast(adjoint, shape):
    while adjoint.ndim > len(shape):
        adjoint = adjoint.sum(axis=0)
    for k in reversed(range(len(shape))):
        if shape[k] == 1:
            adjoint = adjoint.sum(axis=k)
    return adjoint
