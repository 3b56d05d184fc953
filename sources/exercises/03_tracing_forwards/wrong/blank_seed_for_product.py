# replaces: blanks
# loses: 3
# hint: The tangent of a product has two terms: each tangent times the other factor. The factor of the tangent of x
#   is y, which is 3, not 1 or 2.


def blanks():
    return {"A": 6, "B": 1, "C": 4, "D": 2, "E": -1, "F": -3, "G": -3}
