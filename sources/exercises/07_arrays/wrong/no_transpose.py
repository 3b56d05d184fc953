# replaces: matmul
# loses: 4
# hint: Where is the transpose? A_bar is C_bar times the transpose of B: C_bar has B's columns, and A_bar has B's
#   rows. Write the shapes under the product, and see which inner sizes agree.


def matmul_vjp(C_bar, A, B):
    return C_bar @ B, A @ C_bar
