# replaces: softmax
# loses: 2
# hint: With scores near 1000 the powers are infinite, and infinite over infinite is no number. Subtract something
#   from each row first.


def masked_softmax(scores, hidden):
    with np.errstate(over="ignore", invalid="ignore"):
        powers = np.where(hidden, 0, np.exp(scores))
        return powers / powers.sum(axis=1, keepdims=True)
