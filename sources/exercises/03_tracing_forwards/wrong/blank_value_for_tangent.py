# replaces: blanks
# loses: 3
# hint: That is the value, and the blank asks for the tangent. The tangent of a product is a sum of two
#   terms, and one of them is zero here.


def blanks():
    return {"A": 6, "B": 6, "C": 4, "D": 2, "E": 2, "F": 6, "G": 1.5}
