# replaces: value
# loses: 2
# hint: You made a new array and returned that. The caller's out still holds what was in it before; in a graph
#   that is built once, out is all that anybody looks at.


def echo_value(a, r, out):
    out = np.array(a)
    for k in range(1, len(a)):
        out[k] = a[k] + r * out[k - 1]
    return out
