# replaces: lives
# loses: 2
# hint: You count the lines from 1. From 0 was asked for, as Python's enumerate does.


def lives(lines):
    found = {}
    for number, line in enumerate(lines, 1):
        found.setdefault(writes(line), (number, number))
        for name in reads(line) | {writes(line)}:
            if name in found:
                found[name] = (found[name][0], number)
    return found
