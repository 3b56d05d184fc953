# replaces: matmul
# loses: 4
# hint: The inner sizes do not agree: the factors are in the wrong order, or a transpose is missing. B stands on the
#   right in A @ B, so its transpose stands on the right in A_bar; A's transpose stands on the left in B_bar.


def matmul_vjp(C_bar, A, B):
    return np.swapaxes(B, -1, -2) @ C_bar, C_bar @ np.swapaxes(A, -1, -2)
