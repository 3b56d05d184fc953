# replaces: loss
# loses: 2
# hint: This is the sum over the rows. The mean was asked for: so that the loss, and the size of a step, do not depend on how
#   many pictures there are in a batch.


def cross_entropy(logits, labels):
    shifted = logits - logits.max(axis=1, keepdims=True)
    right = shifted[np.arange(len(labels)), labels]
    return np.sum(np.log(np.exp(shifted).sum(axis=1)) - right)
