# replaces: blanks
# loses: 3
# hint: The row subtracts, so its tangent does, too: the minus belongs to the second tangent as well.


def blanks():
    return {"A": 6, "B": 3, "C": 4, "D": 2, "E": 7, "F": 21, "G": 9}
