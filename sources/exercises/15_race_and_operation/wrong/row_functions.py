# replaces: row
# loses: 2
# hint: You return functions. The two are texts, such as "sin(a)" and "cos(a)": minigrad makes functions and
#   derivatives of them.


def log_cosh_row():
    return lambda a: abs(a) + np.log1p(np.exp(-2 * abs(a))) - np.log(2), lambda a: np.tanh(a)
