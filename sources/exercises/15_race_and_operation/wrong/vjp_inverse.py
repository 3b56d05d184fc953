# replaces: vjp
# loses: 3
# hint: That takes the echo away again: it is the inverse of the operation. The way back of a derivative is the
#   transpose, and no inverse: it turns the direction round and keeps the plus.


def echo_vjp(adjoint, r):
    return echo(adjoint[::-1], -r)[::-1]
