# replaces: head_back
# loses: 3
# hint: Q and K get too much, by a factor: the square root of d divided the scores on the way forward, and divides
#   the adjoint on the way back.


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V.T
    s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True))
    return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}
