# replaces: unbroadcast
# loses: 5
# hint: A reshape only rearranges entries, and here there are more of them than `shape` has room for. The entries
#   that belong to one original have to be added up.


def unbroadcast(adjoint, shape):
    return adjoint.reshape(shape)
