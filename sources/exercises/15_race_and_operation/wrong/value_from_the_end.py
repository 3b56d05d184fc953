# replaces: value
# loses: 5
# hint: Your echo goes from the end to the beginning. It comes AFTER the entry: from the first to the last.


def echo_value(a, r, out):
    out[-1] = a[-1]
    for k in range(len(a) - 2, -1, -1):
        out[k] = a[k] + r * out[k + 1]
    return out
