# replaces: softmax
# loses: 2
# hint: All entries together add up to 1. Each ROW does: a query shares out its own attention.


def masked_softmax(scores, hidden):
    s = np.where(hidden, -np.inf, scores)
    p = np.exp(s - s.max())
    return p / p.sum()
