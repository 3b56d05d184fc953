# replaces: blanks
# loses: 3
# hint: The adjoint of v4 came through unchanged, but v4 = v3 * y: there is a partial derivative on the way.


def blanks():
    return {"A": 0.5, "B": 0.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}
