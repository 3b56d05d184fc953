# replaces: matmul
# loses: 1
# hint: With the stack on the other side it goes wrong: either of the two may be the single one that was copied.
#   Task 1 treats both alike.


def matmul_vjp(C_bar, A, B):
    A_bar = C_bar @ np.swapaxes(B, -1, -2)
    B_bar = np.swapaxes(A, -1, -2) @ C_bar
    return A_bar, unbroadcast(B_bar, B.shape)
