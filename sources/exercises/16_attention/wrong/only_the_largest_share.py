# replaces: head_back
# loses: 1
# hint: Only the largest share of each row hands something back. All shares took part in the mean.


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V.T
    s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
    return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": (A == A.max(axis=1, keepdims=True)).T @ y_bar}
