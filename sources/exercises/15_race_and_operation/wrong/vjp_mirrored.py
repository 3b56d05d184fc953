# replaces: vjp
# loses: 3
# hint: A mirror image of the adjoint was added. a_k reaches v_k and all that come after it, each weaker by r.


def echo_vjp(adjoint, r):
    return adjoint + r * adjoint[::-1]
