# replaces: slope
# loses: 3
# hint: Each row of a softmax adds up to 1. Yours add up to 1 over the whole batch: sum along each row, axis=1.


def cross_entropy_vjp(adjoint, logits, labels):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    softmax = powers / powers.sum()
    softmax[np.arange(len(labels)), labels] -= 1
    return adjoint * softmax / len(labels)
