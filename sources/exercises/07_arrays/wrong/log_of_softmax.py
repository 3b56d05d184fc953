# replaces: loss
# loses: 2
# hint: Nothing overflows any more, but the probability of the label rounds to 0, and its logarithm is infinite. Take the
#   logarithm by hand, before anything is rounded: log of the sum, minus the label's shifted logit.


def cross_entropy(logits, labels):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities = powers / powers.sum(axis=1, keepdims=True)
    return np.mean(-np.log(probabilities[np.arange(len(labels)), labels]))
