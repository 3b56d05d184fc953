# replaces: blanks
# loses: 3
# hint: A product's tangent has two terms, each a tangent times the OTHER value. You multiplied the two tangents
#   with each other, or left the first term out because the second is 0.


def blanks():
    return {"A": 6, "B": 3, "C": 4, "D": 2, "E": -1, "F": 0, "G": -1.5}
