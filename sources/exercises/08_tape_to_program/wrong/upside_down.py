# replaces: dead
# loses: 3
# hint: The right lines, in the wrong order: you collected them from the bottom up. Turn the list round before you
#   return it.


def without_dead(lines, wanted):
    needed, kept = set(wanted), []
    for line in reversed(lines):
        if writes(line) in needed:
            kept.append(line)
            if not adds(line):
                needed.discard(writes(line))
            needed |= reads(line)
    return kept
