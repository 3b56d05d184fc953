# replaces: matmul
# loses: 4
# hint: * multiplies entry by entry. The adjoints of a product of matrices are products of matrices, too: @.


def matmul_vjp(C_bar, A, B):
    return C_bar * B, A * C_bar
