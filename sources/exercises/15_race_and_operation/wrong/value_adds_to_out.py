# replaces: value
# loses: 5
# hint: You add to what was in out before. Its old content has no meaning: write with =.


def echo_value(a, r, out):
    previous = 0.0
    for k in range(len(a)):
        previous = a[k] + r * previous
        out[k] += previous
    return out
