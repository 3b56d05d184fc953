# replaces: blanks
# loses: 3
# hint: A dict was asked for, with a letter for each number: {"A": ..., "B": ...}.


def blanks():
    return [6, 3, 4, 2, -1, -3, -3]
