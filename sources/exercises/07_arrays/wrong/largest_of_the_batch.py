# replaces: loss
# loses: 2
# hint: You subtract the largest logit of the whole batch. A row whose own logits are much smaller then has only zeros under
#   the logarithm. Each row has its own largest: axis=1.


def cross_entropy(logits, labels):
    shifted = logits - logits.max()
    right = shifted[np.arange(len(labels)), labels]
    return np.mean(np.log(np.exp(shifted).sum(axis=1)) - right)
