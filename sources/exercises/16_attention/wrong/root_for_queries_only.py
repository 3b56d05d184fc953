# replaces: head_back
# loses: 3
# hint: Q is right, and K is too large: S is divided by the root, so both have it. Divide once, in the adjoint of S.


def head_back(Q, K, V, A, y_bar):
    A_bar = y_bar @ V.T
    S = A * (A_bar - (A * A_bar).sum(axis=1, keepdims=True))
    return {"Q": S @ K / np.sqrt(Q.shape[1]), "K": S.T @ Q, "V": A.T @ y_bar}
