# replaces: blanks
# loses: 3
# hint: Row 3 subtracts v2. If v2 grows, the result gets smaller: with which sign does row 3 pass on its adjoint to
#   v2?


def blanks():
    return {"A": 0.5, "B": 1.5, "C": 1.5, "D": 1.5, "E": 9, "F": 4}
