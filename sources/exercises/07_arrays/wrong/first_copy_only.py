# replaces: unbroadcast
# loses: 5
# hint: You keep the adjoint of one copy and forget the others. The shape is right, but the contributions of all
#   copies have to be added.


def unbroadcast(adjoint, shape):
    while adjoint.ndim > len(shape):
        adjoint = adjoint[0]
    for k, size in enumerate(shape):
        if size == 1:
            adjoint = np.take(adjoint, [0], axis=k)
    return adjoint
