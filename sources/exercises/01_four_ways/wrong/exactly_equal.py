# replaces: judge
# loses: 2
# hint: A difference quotient is never exact, so == says no to everything. How far may the two be apart?


def is_right(f, df, x):
    return df(x) == central(f, x, 1e-5)
