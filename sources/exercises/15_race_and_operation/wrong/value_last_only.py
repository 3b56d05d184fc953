# replaces: value
# loses: 5
# hint: Only the last entry came back. The whole array `out` was asked for.


def echo_value(a, r, out):
    out[0] = a[0]
    for k in range(1, len(a)):
        out[k] = a[k] + r * out[k - 1]
    return out[-1]
