# replaces: blanks
# loses: 3
# hint: Only the denominator's part is there. v4, in the numerator, changes as well: its partial derivative is 1/x.


def blanks():
    return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -1.5}
