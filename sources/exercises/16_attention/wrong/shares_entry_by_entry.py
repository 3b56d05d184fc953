# replaces: head_back
# loses: 1
# hint: You multiplied shares and adjoints entry by entry. Y = A V is a product of matrices, and so is the way
#   back.


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V.T
    s_bar = A * (a_bar - (A * a_bar).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
    return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A * y_bar}
