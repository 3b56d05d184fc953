# replaces: slope
# loses: 2
# hint: You return the derivative of the loss itself. If the loss is used further, `adjoint` says how much it counts
#   there. A vjp multiplies by it.


def cross_entropy_vjp(adjoint, logits, labels):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    softmax = powers / powers.sum(axis=1, keepdims=True)
    softmax[np.arange(len(labels)), labels] -= 1
    return softmax / len(labels)
