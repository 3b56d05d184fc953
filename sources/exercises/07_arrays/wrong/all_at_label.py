# replaces: slope
# loses: 3
# hint: belief[:, labels] picks these columns in *every* row, and takes 1 away from too many entries. One entry for each row: the row
#   numbers and the labels together, belief[np.arange(n), labels].


def cross_entropy_vjp(adjoint, logits, labels):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    belief = powers / powers.sum(axis=1, keepdims=True)
    belief[:, labels] -= 1
    return adjoint * belief / len(labels)
