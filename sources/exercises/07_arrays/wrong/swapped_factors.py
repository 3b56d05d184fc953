# replaces: matmul
# loses: 4
# hint: The factors are in the wrong order. In C = A @ B the matrix B stands on the right, so its transpose stays on the
#   right in A_bar, and A's transpose stays on the left in B_bar.


def matmul_vjp(C_bar, A, B):
    return np.swapaxes(B, -1, -2) @ C_bar, C_bar @ np.swapaxes(A, -1, -2)
