# replaces: value
# loses: 5
# hint: You add r to the k times a_0, to a_0 itself as well, and the echoes of all other entries are missing. Each v
#   comes from the v before it.


def echo_value(a, r, out):
    for k in range(len(a)):
        out[k] = a[k] + r**k * a[0]
    return out
