# replaces: dead
# loses: 3
# hint: You keep every line that somebody reads. But the reader may be dead itself, and then so is the line: go from
#   the bottom up, and ask only the lines that are kept.


def without_dead(lines, wanted):
    read = set(wanted).union(*(reads(line) for line in lines))
    return [line for line in lines if writes(line) in read]
