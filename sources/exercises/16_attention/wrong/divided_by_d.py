# replaces: head_back
# loses: 3
# hint: Q and K get too little: you divided by d, or by its root twice. The root divided once.


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V.T
    s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / Q.shape[1]
    return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}
