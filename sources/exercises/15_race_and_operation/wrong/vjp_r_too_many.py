# replaces: vjp
# loses: 3
# hint: Everything has a factor r too many, or it is the only thing there: v_k itself counts with the factor 1, the
#   next with r, and so on.


def echo_vjp(adjoint, r):
    return echo(adjoint[::-1], r)[::-1] * r
