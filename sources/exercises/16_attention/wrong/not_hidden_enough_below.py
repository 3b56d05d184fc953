# replaces: softmax
# loses: 2
# hint: A hidden score was lowered by a fixed number, and can still be the largest. Give it -inf, or the power 0.


def masked_softmax(scores, hidden):
    s = scores - 1e2 * hidden
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
