# replaces: dead
# loses: 1
# hint: A line with += adds to what is there, so the line that wrote it first is needed as well. You treat it like
#   =, and the earlier shares of the sum are gone.


def without_dead(lines, wanted):
    needed, kept = set(wanted), []
    for line in reversed(lines):
        if writes(line) in needed:
            kept.append(line)
            needed.discard(writes(line))
            needed |= reads(line)
    return kept[::-1]
