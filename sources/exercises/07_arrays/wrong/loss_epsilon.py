# replaces: loss
# loses: 2
# hint: The probability was kept away from 0 by a tiny number, so no loss can be larger than its logarithm. Do not
#   compute the probability: the log of the sum, minus the label's shifted logit.


def cross_entropy(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return -np.mean(np.log(p[np.arange(len(labels)), labels] + 1e-12))
