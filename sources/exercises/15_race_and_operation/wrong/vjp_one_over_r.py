# replaces: vjp
# loses: 3
# hint: Dividing by r does not turn the direction round: the echo still runs from the first entry to the last.


def echo_vjp(adjoint, r):
    return echo(adjoint, 1 / r)
