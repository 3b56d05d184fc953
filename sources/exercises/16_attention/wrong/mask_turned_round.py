# replaces: softmax
# loses: 2
# hint: With nothing hidden you hide everything: the mask is used the wrong way round. True means that a query
#   must not look.


def masked_softmax(scores, hidden):
    with np.errstate(invalid="ignore"):
        scores = np.where(hidden, scores, -np.inf)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)
