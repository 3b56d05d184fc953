# replaces: value
# loses: 2
# hint: Your echo reaches two entries back and no further. An echo has an echo, which has one, too: take the
#   entry before from out, where they all are.


def echo_value(a, r, out):
    out[:] = a
    for k in range(len(a) - 1):
        out[k + 1] = out[k + 1] + r * a[k] + r * r * (a[k - 1] if k else 0)
    return out
