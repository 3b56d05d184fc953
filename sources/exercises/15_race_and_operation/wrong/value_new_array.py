# replaces: value
# loses: 2
# hint: out still holds what was in it before: you made a new array, and the caller looks at out.


def echo_value(a, r, out):
    out = np.array(a)
    for k in range(1, len(a)):
        out[k] = a[k] + r * out[k - 1]
    return out
