# replaces: matmul
# loses: 1
# hint: You took the mean over the stack. The same matrix was used several times: its shares add up.


def matmul_vjp(C_bar, A, B):
    A_bar = C_bar @ np.swapaxes(B, -1, -2)
    B_bar = np.swapaxes(A, -1, -2) @ C_bar
    while A_bar.ndim > A.ndim:
        A_bar = A_bar.mean(axis=0)
    while B_bar.ndim > B.ndim:
        B_bar = B_bar.mean(axis=0)
    return A_bar, B_bar
