# replaces: head_back
# loses: 1
# hint: For the values you multiplied by the adjoint of A. Y = A V: on the way back to V the factor is A itself,
#   transposed.


def head_back(Q, K, V, A, y_bar):
    A_bar = y_bar @ V.T
    S = A * (A_bar - (A * A_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
    return {"Q": S @ K, "K": S.T @ Q, "V": A_bar.T @ y_bar}
