# replaces: blanks
# loses: 3
# hint: x stands in the denominator, and it changes, too: the second partial derivative of the quotient, times the
#   tangent of x, is missing.


def blanks():
    return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -1.5}
