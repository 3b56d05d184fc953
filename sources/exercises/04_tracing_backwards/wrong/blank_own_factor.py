# replaces: blanks
# loses: 3
# hint: v4 = v3 * y: the share of v3 is the adjoint of v4 times the OTHER factor, y.


def blanks():
    return {"A": 0.5, "B": 1, "C": 1, "D": -1, "E": -2.5, "F": 3}
