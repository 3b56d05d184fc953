# replaces: blanks
# loses: 3
# hint: Both shares of row 5 are there, but the second was added. The partial derivative with respect to the
#   denominator is negative.


def blanks():
    return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": 0}
