# replaces: value
# loses: 5
# hint: Your echo goes along each row. It should go along the first axis, from one row to the next.


def echo_value(a, r, out):
    out[..., 0] = a[..., 0]
    for k in range(1, a.shape[-1]):
        out[..., k] = a[..., k] + r * out[..., k - 1]
    return out
