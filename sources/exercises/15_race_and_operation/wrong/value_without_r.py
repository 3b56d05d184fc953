# replaces: value
# loses: 5
# hint: Without the factor r the echo never gets weaker: that is a running sum.


def echo_value(a, r, out):
    out[0] = a[0]
    for k in range(1, len(a)):
        out[k] = a[k] + out[k - 1]
    return out
