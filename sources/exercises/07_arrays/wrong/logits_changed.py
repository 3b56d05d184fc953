# replaces: slope
# loses: 2
# hint: The result is right, but -= has changed the caller's logits. Make a new array.


def cross_entropy_vjp(adjoint, logits, labels):
    logits -= logits.max(axis=1, keepdims=True)
    e = np.exp(logits)
    p = e / e.sum(axis=1, keepdims=True)
    p[np.arange(len(labels)), labels] -= 1
    return adjoint * p / len(labels)
