# replaces: loss
# loses: 2
# hint: You subtract the largest logit of the whole batch. In a row whose own logits are much smaller, all
#   exponentials are 0 then. Each row has its own largest: axis=1.


def cross_entropy(logits, labels):
    shifted = logits - logits.max()
    right = shifted[np.arange(len(labels)), labels]
    return np.mean(np.log(np.exp(shifted).sum(axis=1)) - right)
