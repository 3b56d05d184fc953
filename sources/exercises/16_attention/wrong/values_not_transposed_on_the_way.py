# replaces: head_back
# loses: 3
# hint: The adjoint of A is y_bar times V, transposed. Yours is without the transpose, so the entries of different
#   keys are mixed.


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V
    s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
    return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}
