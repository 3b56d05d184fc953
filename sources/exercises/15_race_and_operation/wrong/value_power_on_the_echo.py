# replaces: value
# loses: 5
# hint: The echo of the echo is too weak: v of k - 1 has its own powers of r in it already. Multiply it by r once,
#   whatever k is.


def echo_value(a, r, out):
    out[0] = a[0]
    for k in range(1, len(a)):
        out[k] = a[k] + r**k * out[k - 1]
    return out
