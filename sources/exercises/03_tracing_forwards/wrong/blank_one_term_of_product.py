# replaces: blanks
# loses: 3
# hint: v3 is multiplied by y, so its tangent is, too. You passed the tangent of v3 on as it is.


def blanks():
    return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": -1, "G": -3}
