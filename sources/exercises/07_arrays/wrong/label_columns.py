# replaces: loss
# loses: 2
# hint: [:, labels] picks these columns in EVERY row. One logit for each row was wanted: row numbers and labels
#   together, [np.arange(n), labels].


def cross_entropy(logits, labels):
    shifted = logits - logits.max(axis=1, keepdims=True)
    right = shifted[:, labels]
    return np.mean(np.log(np.exp(shifted).sum(axis=1)) - right)
