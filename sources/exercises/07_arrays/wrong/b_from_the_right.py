# replaces: matmul
# loses: 3
# hint: B stands on the right of A, so its adjoint has A's transpose on the LEFT of C_bar. With square
#   matrices both orders have the right shape, and only one has the right numbers.


def matmul_vjp(C_bar, A, B):
    At, Bt = np.swapaxes(A, -1, -2), np.swapaxes(B, -1, -2)
    return unbroadcast(C_bar @ Bt, A.shape), unbroadcast(C_bar @ At, B.shape) if C_bar.shape[-1] == At.shape[
        -2
    ] else unbroadcast(At @ C_bar, B.shape)
