# replaces: vjp
# loses: 3
# hint: You only multiplied by r. The adjoint of a_k has a term for v_k, one for the next, and so on.


def echo_vjp(adjoint, r):
    return r * adjoint
    ### END SOLUTION
