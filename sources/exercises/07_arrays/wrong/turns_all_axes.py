# replaces: matmul
# loses: 1
# hint: For matrices this is right. Of a stack, .T reverses all axes, the one that counts the matrices, too. Swap
#   the last two only: np.swapaxes(A, -1, -2).


def matmul_vjp(C_bar, A, B):
    return unbroadcast(C_bar @ B.T, A.shape), unbroadcast(A.T @ C_bar, B.shape)
