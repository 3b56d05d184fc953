# replaces: head_back
# loses: 3
# hint: Q is right, K is not. S has a row for each query and a column for each key: which of the two must K's
#   product run over?


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V.T
    s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
    return {"Q": s_bar @ K, "K": s_bar @ Q, "V": A.T @ y_bar}
