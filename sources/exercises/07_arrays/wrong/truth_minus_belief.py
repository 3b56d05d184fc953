# replaces: slope
# loses: 3
# hint: The sign is the opposite: it is softmax minus truth. Going *against* the gradient must raise the label's
#   logit, so its entry is negative.


def cross_entropy_vjp(adjoint, logits, labels):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    softmax = powers / powers.sum(axis=1, keepdims=True)
    truth = np.eye(logits.shape[1])[labels]
    return adjoint * (truth - softmax) / len(labels)
