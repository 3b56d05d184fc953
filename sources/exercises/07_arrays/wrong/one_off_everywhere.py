# replaces: slope
# loses: 3
# hint: 1 was taken off every entry. Only the entry of the right class of each row loses 1.


def cross_entropy_vjp(adjoint, logits, labels):
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return adjoint * (p - 1) / len(labels)
