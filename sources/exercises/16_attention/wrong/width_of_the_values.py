# replaces: head_back
# loses: 3
# hint: The root is of d, the number of columns of Q. You took the size of another array.


def head_back(Q, K, V, A, y_bar):
    A_bar = y_bar @ V.T
    S = A * (A_bar - (A * A_bar).sum(axis=1, keepdims=True)) / np.sqrt(V.shape[1])
    return {"Q": S @ K, "K": S.T @ Q, "V": A.T @ y_bar}
