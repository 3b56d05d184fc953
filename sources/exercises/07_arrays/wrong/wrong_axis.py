# replaces: loss
# loses: 2
# hint: The sum goes down the columns, over the pictures. A row is a picture: sum along it, axis=1.


def cross_entropy(logits, labels):
    shifted = logits - logits.max(axis=1, keepdims=True)
    right = shifted[np.arange(len(labels)), labels]
    return np.mean(np.log(np.exp(shifted).sum(axis=0)) - right)
