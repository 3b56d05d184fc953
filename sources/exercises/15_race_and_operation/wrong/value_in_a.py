# replaces: value
# loses: 2
# hint: The values are right, but you changed a on the way. It is still needed, by the graph among others. Write
#   into out alone.


def echo_value(a, r, out):
    for k in range(1, len(a)):
        a[k] += r * a[k - 1]
    out[:] = a
    return out
