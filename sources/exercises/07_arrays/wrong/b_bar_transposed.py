# replaces: matmul
# loses: 4
# hint: One of the adjoints is the transpose of what it should be: (C_barᵀ A) is the transpose of (Aᵀ C_bar). B_bar
#   has the shape of B.


def matmul_vjp(C_bar, A, B):
    A_bar = C_bar @ np.swapaxes(B, -1, -2)
    B_bar = np.swapaxes(C_bar, -1, -2) @ A
    return unbroadcast(A_bar, A.shape), unbroadcast(B_bar, B.shape)
