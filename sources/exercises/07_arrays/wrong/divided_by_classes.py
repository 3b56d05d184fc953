# replaces: slope
# loses: 3
# hint: You divided by the number of classes. The loss is a mean over the ROWS: how many are there?


def cross_entropy_vjp(adjoint, logits, labels):
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(labels)), labels] -= 1
    return adjoint * p / logits.shape[1]
