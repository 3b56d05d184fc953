# replaces: blanks
# loses: 3
# hint: y is used in row 1 and in row 4. You have the share of one of them.


def blanks():
    return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 3}
