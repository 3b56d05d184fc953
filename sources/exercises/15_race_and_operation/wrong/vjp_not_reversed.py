# replaces: vjp
# loses: 3
# hint: The adjoint went forward in time. But if only the last v counts, all entries before it have a share in it:
#   it goes backwards.


def echo_vjp(adjoint, r):
    return echo(adjoint, r)
