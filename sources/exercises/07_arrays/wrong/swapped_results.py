# replaces: matmul
# loses: 4
# hint: Both adjoints are right, but in the wrong order: A_bar is asked for first. An adjoint has the shape of what
#   it belongs to, which tells you which is which.


def matmul_vjp(C_bar, A, B):
    A_bar = unbroadcast(C_bar @ np.swapaxes(B, -1, -2), A.shape)
    B_bar = unbroadcast(np.swapaxes(A, -1, -2) @ C_bar, B.shape)
    return B_bar, A_bar
