# replaces: softmax
# loses: 2
# hint: You divided the scores themselves by their sum. Shares are made of powers of e, which are always positive.


def masked_softmax(scores, hidden):
    scores = np.where(hidden, 0.0, scores)
    with np.errstate(invalid="ignore", divide="ignore"):
        return scores / scores.sum(axis=1, keepdims=True)
