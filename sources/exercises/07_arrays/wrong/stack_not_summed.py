# replaces: matmul
# loses: 1
# hint: One adjoint came back for each matrix of the stack, but there is only one B: it was used three times, as if
#   copied. What is the adjoint of something copied? You wrote that in Task 1.


def matmul_vjp(C_bar, A, B):
    return C_bar @ np.swapaxes(B, -1, -2), np.swapaxes(A, -1, -2) @ C_bar
