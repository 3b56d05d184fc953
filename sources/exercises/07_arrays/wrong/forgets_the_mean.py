# replaces: slope
# loses: 3
# hint: The loss is a mean over the rows, so each row counts for one n-th of it. For one row you are right; with
#   two, your adjoint is twice as large as it should be.


def cross_entropy_vjp(adjoint, logits, labels):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    softmax = powers / powers.sum(axis=1, keepdims=True)
    softmax[np.arange(len(labels)), labels] -= 1
    return adjoint * softmax
