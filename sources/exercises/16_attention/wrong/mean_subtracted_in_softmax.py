# replaces: softmax
# loses: 2
# hint: You subtract the mean of the row. A score that is far above it still gives an infinite power: subtract
#   the largest.


def masked_softmax(scores, hidden):
    scores = np.where(hidden, -np.inf, scores - scores.mean(axis=1, keepdims=True))
    p = np.exp(scores)
    return p / p.sum(axis=1, keepdims=True)
