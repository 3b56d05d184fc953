# replaces: softmax
# loses: 2
# hint: These are powers, and the largest of each row is 1. Shares add up to 1.


def masked_softmax(scores, hidden):
    scores = np.where(hidden, -np.inf, scores)
    return np.exp(scores - scores.max(axis=1, keepdims=True))
