# replaces: value
# loses: 5
# hint: You return a, the input. The result is in out.


def echo_value(a, r, out):
    out[0] = a[0]
    for k in range(1, len(a)):
        out[k] = a[k] + r * out[k - 1]
    return a
