# replaces: lives
# loses: 2
# hint: You look only at the lines that read. A name that is written later than it is read is needed until it is
#   written.


def lives(lines):
    found = {}
    for number, line in enumerate(lines):
        found.setdefault(writes(line), (number, number))
        for name in reads(line):
            if name in found:
                found[name] = (found[name][0], number)
    return found
