# replaces: dead
# loses: 3
# hint: You take lines out of the list that you were given. It belongs to the caller: make a new one.


def without_dead(lines, wanted):
    needed = set(wanted)
    for line in reversed(list(lines)):
        if writes(line) in needed:
            if not adds(line):
                needed.discard(writes(line))
            needed |= reads(line)
        else:
            lines.remove(line)
    return lines
