# replaces: blanks
# loses: 3
# hint: x occurs twice in x * x, and both factors change. The product rule has a term for each.


def blanks():
    return {"A": 6, "B": 3, "C": 2, "D": 2, "E": 1, "F": 3, "G": 0}
