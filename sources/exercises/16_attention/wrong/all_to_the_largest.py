# replaces: softmax
# loses: 2
# hint: The largest score of each row gets everything. A SOFTmax gives each its share.


def masked_softmax(scores, hidden):
    s = np.where(hidden, -np.inf, scores)
    return (s == s.max(axis=1, keepdims=True)) * 1.0
