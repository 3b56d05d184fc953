# replaces: value
# loses: 5
# hint: The first entry of out still holds what was there before, 7: write it, too.


def echo_value(a, r, out):
    for k in range(1, len(a)):
        out[k] = a[k] + r * out[k - 1]
    return out
