# replaces: vjp
# loses: 3
# hint: That undoes the echo: it is the inverse of the operation. The adjoint needs the transpose, not the inverse:
#   the same weights, in the other direction.


def echo_vjp(adjoint, r):
    return echo(adjoint[::-1], -r)[::-1]
