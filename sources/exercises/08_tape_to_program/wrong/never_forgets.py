# replaces: dead
# loses: 1
# hint: Above a line `t = ...` the old t is no longer needed: it is about to be overwritten. Take it out of the set.


def without_dead(lines, wanted):
    needed, kept = set(wanted), []
    for line in reversed(lines):
        if writes(line) in needed:
            kept.append(line)
            needed |= reads(line)
    return kept[::-1]
