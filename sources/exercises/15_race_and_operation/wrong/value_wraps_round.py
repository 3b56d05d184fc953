# replaces: value
# loses: 5
# hint: The first entry has an echo, too: for k = 0, out[k - 1] is the LAST entry of out. Nothing comes before the
#   first.


def echo_value(a, r, out):
    for k in range(len(a)):
        out[k] = a[k] + r * out[k - 1]
    return out
