# replaces: head_back
# loses: 3
# hint: You went from a_bar to Q and K as if A were S. Between them is the softmax, with a derivative of its own.


def head_back(Q, K, V, A, y_bar):
    S = y_bar @ V.T / np.sqrt(Q.shape[1])
    return {"Q": S @ K, "K": S.T @ Q, "V": A.T @ y_bar}
