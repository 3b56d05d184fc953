# replaces: slope
# loses: 3
# hint: At the label stands -1 alone: you put -1 there instead of subtracting 1 from what the softmax gave.


def cross_entropy_vjp(adjoint, logits, labels):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    softmax = powers / powers.sum(axis=1, keepdims=True)
    softmax[np.arange(len(labels)), labels] = -1
    return adjoint * softmax / len(labels)
