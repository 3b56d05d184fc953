# replaces: blanks
# loses: 3
# hint: You have the share from row 5 alone. x is also used in row 1, and twice in row 2: all four shares add up.


def blanks():
    return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": -1.5, "F": 4}
