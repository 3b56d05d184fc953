# replaces: lives
# loses: 2
# hint: Every end is one line too late: the last line itself was asked for, not the one after it.


def lives(lines):
    found = {}
    for number, line in enumerate(lines):
        found.setdefault(writes(line), (number, number))
        for name in reads(line) | {writes(line)}:
            if name in found:
                found[name] = (found[name][0], number + 1)
    return found
