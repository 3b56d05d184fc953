# replaces: loss
# loses: 2
# hint: The label's logit is added instead of subtracted. The higher it is, the smaller the loss should be.


def cross_entropy(logits, labels):
    shifted = logits - logits.max(axis=1, keepdims=True)
    right = shifted[np.arange(len(labels)), labels]
    return np.mean(np.log(np.exp(shifted).sum(axis=1)) + right)
