# replaces: blanks
# loses: 3
# hint: That is one share of several. x is used in rows 1, 2 and 5, and all of their shares add up.


def blanks():
    return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": 4.5, "F": 3}
