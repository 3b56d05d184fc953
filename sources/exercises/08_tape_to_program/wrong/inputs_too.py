# replaces: lives
# loses: 2
# hint: x and y are in your dict. No line writes them: they come from outside, and need no memory of the program's own.


def lives(lines):
    found = {}
    for number, line in enumerate(lines):
        for name in [writes(line), *reads(line)]:
            found[name] = (found.get(name, (number, number))[0], number)
    return found
