# replaces: blanks
# loses: 3
# hint: Rows 1 and 2 are in your sum. But x is the denominator in row 5, too, and gets a share from there: a
#   negative one.


def blanks():
    return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -1.5, "F": 4}
