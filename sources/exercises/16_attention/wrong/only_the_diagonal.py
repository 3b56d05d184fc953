# replaces: head_back
# loses: 3
# hint: You used a (1 - a), the slope of a sigmoid: that is how a share changes with its own score. It changes
#   with the other scores of its row as well.


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V.T
    s_bar = A * (1 - A) * a_bar / np.sqrt(Q.shape[1])
    return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}
