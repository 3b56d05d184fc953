# replaces: vjp
# loses: 3
# hint: The sign of r is the opposite in yours. The weights of the echo stay the same; only the direction changes.


def echo_vjp(adjoint, r):
    return echo(adjoint[::-1], -r)[::-1]
