# replaces: head_back
# loses: 3
# hint: The mean is missing: a share can only grow at the cost of the others. Each row of s_bar must add up to 0;
#   what does yours add up to?


def head_back(Q, K, V, A, y_bar):
    a_bar = y_bar @ V.T
    s_bar = A * a_bar / np.sqrt(Q.shape[1])
    return {"Q": s_bar @ K, "K": s_bar.T @ Q, "V": A.T @ y_bar}
