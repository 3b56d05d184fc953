# replaces: value
# loses: 5
# hint: The first entry has a factor r. It is no echo: it is a[0] itself.


def echo_value(a, r, out):
    out[0] = r * a[0]
    for k in range(1, len(a)):
        out[k] = a[k] + r * out[k - 1]
    return out
    ### END SOLUTION
