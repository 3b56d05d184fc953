# replaces: softmax
# loses: 2
# hint: inf / inf is nan, and you made zeros of it: the row of shares is empty. Subtract the largest score first,
#   then nothing is infinite.


def masked_softmax(scores, hidden):
    e = np.where(hidden, 0.0, np.exp(scores))
    return np.nan_to_num(e / e.sum(axis=1, keepdims=True))
