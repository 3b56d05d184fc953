# replaces: value
# loses: 5
# hint: Only the first entry echoes in yours. Every entry does.


def echo_value(a, r, out):
    out[0] = a[0]
    for k in range(1, len(a)):
        out[k] = a[k] + r**k * a[0]
    return out
