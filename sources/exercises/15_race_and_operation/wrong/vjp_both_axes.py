# replaces: vjp
# loses: 3
# hint: You reverse two axes. Only the first one is time, and an adjoint may have no other.


def echo_vjp(adjoint, r):
    return echo(adjoint[::-1, ::-1], r)[::-1, ::-1]
