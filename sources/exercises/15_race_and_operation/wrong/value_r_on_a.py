# replaces: value
# loses: 5
# hint: The factor r stands in the wrong place: it multiplies the echo, not the new entry.


def echo_value(a, r, out):
    out[0] = a[0]
    for k in range(1, len(a)):
        out[k] = r * a[k] + out[k - 1]
    return out
