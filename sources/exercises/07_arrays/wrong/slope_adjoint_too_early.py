# replaces: slope
# loses: 2
# hint: Only the softmax was multiplied by the adjoint, and the 1 at the label was not. The adjoint multiplies the
#   whole difference.


def cross_entropy_vjp(adjoint, logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = adjoint * e / e.sum(axis=1, keepdims=True)
    p[np.arange(len(labels)), labels] -= 1
    return p / len(labels)
