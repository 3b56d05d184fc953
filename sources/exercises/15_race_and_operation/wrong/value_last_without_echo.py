# replaces: value
# loses: 5
# hint: The last entry has no echo: your loop ends one step too early. range(1, n) ends before n by itself.


def echo_value(a, r, out):
    out[:] = a
    for k in range(1, len(a) - 1):
        out[k] += r * out[k - 1]
    return out
