# replaces: softmax
# loses: 2
# hint: You subtracted the smallest score of the row, and the powers of the others can still be infinite. The
#   largest power must be 1.


def masked_softmax(scores, hidden):
    s = np.where(hidden, -np.inf, scores)
    e = np.exp(s - scores.min(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
