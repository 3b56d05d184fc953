# replaces: value
# loses: 5
# hint: The values are in out, but None came back: return out.


def echo_value(a, r, out):
    out[0] = a[0]
    for k in range(1, len(a)):
        out[k] = a[k] + r * out[k - 1]
