# replaces: slope
# loses: 3
# hint: The softmax inside still overflows: infinity divided by infinity is not a number. Subtract the largest logit
#   of each row here too.


def cross_entropy_vjp(adjoint, logits, labels):
    powers = np.exp(logits)
    softmax = powers / powers.sum(axis=1, keepdims=True)
    truth = np.eye(logits.shape[1])[labels]
    return adjoint * (softmax - truth) / len(labels)
