# replaces: blanks
# loses: 3
# hint: Row 3 is a difference of values: v1 minus v2, and not the other way round or a sum.


def blanks():
    return {"A": 6, "B": 3, "C": 4, "D": -2, "E": -1, "F": -3, "G": -3}
