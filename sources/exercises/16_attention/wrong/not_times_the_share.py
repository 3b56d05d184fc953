# replaces: head_back
# loses: 3
# hint: You took the mean off, and did not multiply by the share. A score whose share is nearly 0 hardly matters.


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V.T
    s_bar = (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
    return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}
