# replaces: slope
# loses: 3
# hint: 1 was added at the label. The derivative is softmax MINUS truth.


def cross_entropy_vjp(adjoint, logits, labels):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    softmax = powers / powers.sum(axis=1, keepdims=True)
    softmax[np.arange(len(labels)), labels] += 1
    return adjoint * softmax / len(labels)
