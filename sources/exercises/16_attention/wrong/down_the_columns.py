# replaces: softmax
# loses: 2
# hint: The columns add up to 1, and not the rows. A query is a row: along which axis are its scores?


def masked_softmax(scores, hidden):
    scores = np.where(hidden, -np.inf, scores)
    powers = np.exp(scores - scores.max(axis=0, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True)
