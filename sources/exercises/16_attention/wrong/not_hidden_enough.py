# replaces: softmax
# loses: 2
# hint: Minus ten is not minus infinity: hidden keys still get a small share, and next to scores of -2000 a large
#   one.


def masked_softmax(scores, hidden):
    scores = np.where(hidden, -10.0, scores)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
