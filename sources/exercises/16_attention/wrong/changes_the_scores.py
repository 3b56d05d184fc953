# replaces: softmax
# loses: 2
# hint: The shares are right, but the scores that the caller gave you are other ones afterwards. Work on a copy.


def masked_softmax(scores, hidden):
    scores[hidden] = -np.inf
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
