# replaces: softmax
# loses: 2
# hint: A hidden score was the largest of its row, you subtracted that, and all others vanished. Which scores may
#   you take the largest of?


def masked_softmax(scores, hidden):
    with np.errstate(invalid="ignore", divide="ignore"):
        powers = np.where(hidden, 0, np.exp(scores - scores.max(axis=1, keepdims=True)))
        return powers / powers.sum(axis=1, keepdims=True)
