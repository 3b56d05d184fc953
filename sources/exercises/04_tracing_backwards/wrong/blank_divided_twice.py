# replaces: blanks
# loses: 3
# hint: Row 5 passes on its adjoint times 1/x, and x is 2. You multiplied by x instead of dividing.


def blanks():
    return {"A": 2, "B": 6, "C": 6, "D": -6, "E": -7.5, "F": 16}
