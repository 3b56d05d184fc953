# replaces: softmax
# loses: 2
# hint: A row came out as no number. You subtracted the largest score of the whole matrix, and a row far below it
#   vanished. Each row has a largest of its own.


def masked_softmax(scores, hidden):
    scores = np.where(hidden, -np.inf, scores)
    with np.errstate(invalid="ignore", divide="ignore"):
        powers = np.exp(scores - scores.max())
        return powers / powers.sum(axis=1, keepdims=True)
