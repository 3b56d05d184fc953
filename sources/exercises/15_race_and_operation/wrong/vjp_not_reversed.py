# replaces: vjp
# loses: 3
# hint: You sent the adjoint forward in time. But blame goes the other way: if only the last v counts, all entries
#   before it are to blame.


def echo_vjp(adjoint, r):
    return echo(adjoint, r)
