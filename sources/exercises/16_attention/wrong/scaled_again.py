# replaces: softmax
# loses: 2
# hint: The scores were divided by a root. That has happened before: here the powers are of the scores as they are.


def masked_softmax(scores, hidden):
    s = np.where(hidden, -np.inf, scores / np.sqrt(scores.shape[1]))
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
