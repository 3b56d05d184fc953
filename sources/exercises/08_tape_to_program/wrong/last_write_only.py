# replaces: lives
# loses: 2
# hint: You look only at the lines that write a name. A number is needed until it is *read* for the last time, which
#   is often much later.


def lives(lines):
    found = {}
    for number, line in enumerate(lines):
        first, _ = found.get(writes(line), (number, number))
        found[writes(line)] = (first, number)
    return found
