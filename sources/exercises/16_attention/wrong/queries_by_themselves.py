# replaces: head_back
# loses: 3
# hint: For Q you multiplied by Q. The derivative of a product with respect to one factor holds the other one.


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V.T
    s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
    return {"Q": s_bar @ Q, "K": s_bar.T @ Q, "V": A.T @ y_bar}
