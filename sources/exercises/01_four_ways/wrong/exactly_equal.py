# replaces: judge
# loses: 2
# hint: You reject a derivative that is right. Do you ask for equality? A difference quotient is never exact: how
#   far may the two be apart?


def is_right(f, df, x):
    return df(x) == central(f, x, 1e-5)
