# replaces: value
# loses: 5
# hint: The echo of the echo is missing: take the entry before from out, not from a.


def echo_value(a, r, out):
    out[0] = a[0]
    for k in range(1, len(a)):
        out[k] = a[k] + r * a[k - 1]
    return out
