# replaces: value
# loses: 5
# hint: r multiplies the new entry, too. Only the echo gets weaker.


def echo_value(a, r, out):
    out[0] = a[0]
    for k in range(1, len(a)):
        out[k] = r * (a[k] + out[k - 1])
    return out
