# replaces: matmul
# loses: 4
# hint: * multiplies entry by entry. The adjoints are products of matrices: @.


def matmul_vjp(C_bar, A, B):
    A_bar = C_bar * np.swapaxes(B, -1, -2)
    B_bar = np.swapaxes(A, -1, -2) @ C_bar
    return unbroadcast(A_bar, A.shape), unbroadcast(B_bar, B.shape)
