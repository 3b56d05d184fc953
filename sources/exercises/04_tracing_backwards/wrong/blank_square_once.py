# replaces: blanks
# loses: 3
# hint: Three rows use x, and one of them uses it twice: x * x passes on two shares.


def blanks():
    return {"A": 0.5, "B": 1.5, "C": 1.5, "D": -1.5, "E": 0, "F": 4}
