# replaces: softmax
# loses: 2
# hint: Hidden keys still get a share, as if their score were 0: and e to the 0 is 1. Which score has the power 0?


def masked_softmax(scores, hidden):
    scores = np.where(hidden, 0.0, scores)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
