# replaces: matmul
# loses: 4
# hint: A_bar is right. B_bar was multiplied by B itself at the end: an adjoint of B has A and C_bar in it, and
#   nothing else.


def matmul_vjp(C_bar, A, B):
    return C_bar @ B.T, (A.T @ C_bar) * B
