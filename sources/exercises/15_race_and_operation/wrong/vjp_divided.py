# replaces: vjp
# loses: 3
# hint: 1/r undoes the factor. The adjoint is multiplied by r for each step, as the echo is.


def echo_vjp(adjoint, r):
    return echo(adjoint[::-1], 1 / r)[::-1]
