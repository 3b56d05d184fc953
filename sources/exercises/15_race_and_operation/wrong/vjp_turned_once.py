# replaces: vjp
# loses: 3
# hint: Read backwards, yes; but then the answer is still in the order from the end. Turn it round again.


def echo_vjp(adjoint, r):
    return echo(adjoint[::-1], r)
