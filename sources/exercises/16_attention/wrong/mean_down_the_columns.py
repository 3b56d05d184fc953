# replaces: head_back
# loses: 3
# hint: The weighted mean was taken down the columns. A softmax belongs to a row: all that it mixes is in that
#   row.


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V.T
    s_bar = A * (a_bar - (A * a_bar).sum(axis=0, keepdims=True)) / np.sqrt(Q.shape[1])
    return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}
