# replaces: unbroadcast
# loses: 5
# hint: You take the mean over the copies. Each copy changes the result by itself, and their contributions add up:
#   four copies of a bias change the loss by four shares.


def unbroadcast(adjoint, shape):
    while adjoint.ndim > len(shape):
        adjoint = adjoint.mean(axis=0)
    stretched = tuple(k for k, size in enumerate(shape) if size == 1)
    return adjoint.mean(axis=stretched, keepdims=True)
