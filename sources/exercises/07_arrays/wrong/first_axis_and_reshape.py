# replaces: unbroadcast
# loses: 7
# hint: You sum over the first axis whatever happened, and press the rest into the shape. Ask each axis: was it
#   missing, or of size 1, or neither?


def unbroadcast(adjoint, shape):
    return adjoint.sum(axis=0).reshape(shape)
