# replaces: blanks
# loses: 3
# hint: v5 = v4 / x: the partial derivative with respect to the numerator is 1 over the DENOMINATOR. By what does
#   row 5 divide?


def blanks():
    return {"A": 1 / 3, "B": 1.0, "C": 1.0, "D": -1.0, "E": -2.5, "F": 3.0}
