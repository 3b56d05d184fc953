# replaces: blanks
# loses: 3
# hint: In a product each tangent is multiplied by the OTHER factor. Here x has the tangent 1: by what is it
#   multiplied?


def blanks():
    return {"A": 6, "B": 2, "C": 4, "D": 2, "E": -2, "F": -6, "G": -4.5}
