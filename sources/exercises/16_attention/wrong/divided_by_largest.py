# replaces: softmax
# loses: 2
# hint: The scores were DIVIDED by the largest. That changes the shares: subtract it.


def masked_softmax(scores, hidden):
    s = np.where(hidden, -np.inf, scores / scores.max(axis=1, keepdims=True))
    e = np.exp(s)
    return e / e.sum(axis=1, keepdims=True)
