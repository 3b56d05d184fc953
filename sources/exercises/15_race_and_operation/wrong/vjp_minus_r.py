# replaces: vjp
# loses: 3
# hint: You sent the adjoint through an echo with -r. The adjoint has the same r; only the direction changes.


def echo_vjp(adjoint, r):
    return echo(adjoint, -r)
