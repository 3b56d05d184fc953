# replaces: softmax
# loses: 2
# hint: The hidden ones are set to 0 only after dividing, so what is left of a row no longer adds up to 1. Hide
#   before you add up.


def masked_softmax(scores, hidden):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.where(hidden, 0, powers / powers.sum(axis=1, keepdims=True))
