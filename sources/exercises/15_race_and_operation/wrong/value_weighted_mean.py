# replaces: value
# loses: 5
# hint: The new entry is multiplied by 1 - r, as in a moving average. In an echo it counts in full.


def echo_value(a, r, out):
    out[0] = a[0]
    for k in range(1, len(a)):
        out[k] = (1 - r) * a[k] + r * out[k - 1]
    return out
