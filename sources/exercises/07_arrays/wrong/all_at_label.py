# replaces: slope
# loses: 3
# hint: The difference is taken in too many entries: [:, labels] picks these columns in *every* row. One entry for
#   each row: row numbers and labels together, [np.arange(n), labels].


def cross_entropy_vjp(adjoint, logits, labels):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    softmax = powers / powers.sum(axis=1, keepdims=True)
    softmax[:, labels] -= 1
    return adjoint * softmax / len(labels)
