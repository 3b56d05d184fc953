# replaces: head_back
# loses: 3
# hint: The mean that is taken off is weighted by the shares. You took the plain mean of the row.


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V.T
    s_bar = A * (a_bar - a_bar.mean(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
    return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}
