# replaces: loss
# loses: 2
# hint: Nothing overflows any more, but the probability of the label rounds to 0, and its logarithm is infinite. Do
#   not compute the probability: take the log of the sum, minus the label's shifted logit.


def cross_entropy(logits, labels):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities = powers / powers.sum(axis=1, keepdims=True)
    return np.mean(-np.log(probabilities[np.arange(len(labels)), labels]))
