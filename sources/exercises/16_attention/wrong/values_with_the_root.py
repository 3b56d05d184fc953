# replaces: head_back
# loses: 1
# hint: The adjoint of V is too small by the square root of d. The root divides the scores; the values never met
#   it.


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V.T
    s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
    return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar / np.sqrt(Q.shape[1])}
