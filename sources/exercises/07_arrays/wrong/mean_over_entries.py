# replaces: slope
# loses: 3
# hint: Too small: you divided by the number of all entries. The loss is a mean over the rows only.


def cross_entropy_vjp(adjoint, logits, labels):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    softmax = powers / powers.sum(axis=1, keepdims=True)
    softmax[np.arange(len(labels)), labels] -= 1
    return adjoint * softmax / softmax.size
