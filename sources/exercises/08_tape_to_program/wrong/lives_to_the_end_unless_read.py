# replaces: lives
# loses: 2
# hint: A name that nobody reads is kept to the very end in yours. It is needed until the line that writes it
#   last, and no longer.


def lives(lines):
    first, last = {}, {}
    for n, line in enumerate(lines):
        first.setdefault(writes(line), n)
        for name in reads(line):
            last[name] = n
    return {name: (first[name], last.get(name, len(lines) - 1)) for name in first}
