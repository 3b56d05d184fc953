# replaces: vjp
# loses: 3
# hint: v_k itself counts once, with the factor 1. In yours the adjoint is there, and once more in the echo, whose
#   first term it is.


def echo_vjp(adjoint, r):
    return adjoint + r * echo(adjoint, r)
