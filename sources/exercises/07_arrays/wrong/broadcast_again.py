# replaces: unbroadcast
# loses: 5
# hint: You broadcast once more. The adjoint has already the large shape: sums lead back to the small one.


def unbroadcast(adjoint, shape):
    return np.broadcast_to(adjoint, shape)
