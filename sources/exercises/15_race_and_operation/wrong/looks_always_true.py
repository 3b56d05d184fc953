# replaces: looks
# loses: 3
# hint: You accept everything. What must a candidate fail for a False?


def looks_right(candidate):
    return True
