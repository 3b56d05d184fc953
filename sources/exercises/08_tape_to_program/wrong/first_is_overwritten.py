# replaces: lives
# loses: 2
# hint: When a name is written again, you start its life anew. Its array has to be there from the first time on:
#   `first` may be set only once.


def lives(lines):
    first, last = {}, {}
    for number, line in enumerate(lines):
        first[writes(line)] = number
        for name in reads(line) | {writes(line)}:
            last[name] = number
    return {name: (first[name], last[name]) for name in first}
