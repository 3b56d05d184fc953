# replaces: softmax
# loses: 2
# hint: The squares of each row add up to 1 in yours. The shares themselves should.


def masked_softmax(scores, hidden):
    s = np.where(hidden, -np.inf, scores)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / np.sqrt((e**2).sum(axis=1, keepdims=True))
