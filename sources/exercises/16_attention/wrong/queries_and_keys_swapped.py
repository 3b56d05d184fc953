# replaces: head_back
# loses: 3
# hint: The adjoints of Q and K look exchanged: what you return as Q is the one of K.


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V.T
    s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
    return {"Q": s_bar.T @ Q, "K": s_bar @ K, "V": A.T @ y_bar}
