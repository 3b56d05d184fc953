# replaces: dead
# loses: 1
# hint: Once needed, always needed? Above a line `t = ...` the old t is of no use any more: it is about to be overwritten. Take it out of the set.


def without_dead(lines, wanted):
    needed, kept = set(wanted), []
    for line in reversed(lines):
        if writes(line) in needed:
            kept.append(line)
            needed |= reads(line)
    return kept[::-1]
