# replaces: blanks
# loses: 3
# hint: Row 3 passes its adjoint on to v1 times 1: a difference has the partial derivatives 1 and -1. No value comes
#   in.


def blanks():
    return {"A": 0.5, "B": 1.5, "C": 3, "D": -1.5, "E": -3, "F": 4}
