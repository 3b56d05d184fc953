# replaces: vjp
# loses: 3
# hint: For arrays it is right, but a node cannot be filled in a loop. Use the operation `echo`, and slices.


def echo_vjp(adjoint, r):
    out = np.array(adjoint)
    for k in range(len(out) - 2, -1, -1):
        out[k] += r * out[k + 1]
    return out
