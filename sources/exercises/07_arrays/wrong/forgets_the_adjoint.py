# replaces: slope
# loses: 2
# hint: You give the derivative of the loss itself. The loss may have moved on into something else, and then `adjoint` says how
#   much it counts there. A vjp multiplies by it.


def cross_entropy_vjp(adjoint, logits, labels):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    belief = powers / powers.sum(axis=1, keepdims=True)
    belief[np.arange(len(labels)), labels] -= 1
    return belief / len(labels)
