# replaces: softmax
# loses: 2
# hint: All numbers of the matrix together add up to 1. It is each row that must, by itself.


def masked_softmax(scores, hidden):
    scores = np.where(hidden, -np.inf, scores)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum()
