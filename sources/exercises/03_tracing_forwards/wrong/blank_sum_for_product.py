# replaces: blanks
# loses: 3
# hint: Row 1 is a product, v1 = x * y. You added the two.


def blanks():
    return {"A": 5, "B": 3, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}
