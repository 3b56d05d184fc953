# replaces: lives
# loses: 2
# hint: Both numbers are the last line. The first number is the line that writes the name first: set it once, and
#   keep it.


def lives(lines):
    found = {}
    for number, line in enumerate(lines):
        found.setdefault(writes(line), (number, number))
        for name in reads(line) | {writes(line)}:
            if name in found:
                found[name] = (number, number)
    return found
