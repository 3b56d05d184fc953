# replaces: vjp
# loses: 3
# hint: For arrays it is right, but a node does not get through echo_value, which fills an array. Use the operation
#   `echo`.


def echo_vjp(adjoint, r):
    return echo_value(adjoint[::-1], r, np.empty_like(adjoint))[::-1]
