# replaces: value
# loses: 5
# hint: r was added. It multiplies the entry before: r times out[k - 1].


def echo_value(a, r, out):
    out[0] = a[0]
    for k in range(1, len(a)):
        out[k] = a[k] + r + out[k - 1]
    return out
    ### END SOLUTION
