# replaces: blanks
# loses: 3
# hint: You multiplied by the value 2 or by the row's own value. Row 5 divides by x: the partial derivative with
#   respect to v4 is 1/x.


def blanks():
    return {"A": 1, "B": 1.5, "C": 1.5, "D": -1.5, "E": -3, "F": 4}
