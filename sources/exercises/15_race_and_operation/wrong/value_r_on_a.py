# replaces: value
# loses: 5
# hint: The factor r stands at the wrong place: it is the echo that gets weaker, not the new entry.


def echo_value(a, r, out):
    out[0] = a[0]
    for k in range(1, len(a)):
        out[k] = r * a[k] + out[k - 1]
    return out
