# replaces: judge
# loses: 2
# hint: For derivatives of a few units your limit is fine. This one is near three million, and 0.000001 is less than
#   its rounding error. Let the limit grow with the derivative.


def is_right(f, df, x):
    return abs(df(x) - central(f, x, 1e-5)) <= 1e-6
