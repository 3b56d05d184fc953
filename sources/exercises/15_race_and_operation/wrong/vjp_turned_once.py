# replaces: vjp
# loses: 3
# hint: Reading it backwards is right, but then the answer is in the reverse order. Reverse it again.


def echo_vjp(adjoint, r):
    return echo(adjoint[::-1], r)
