# replaces: dead
# loses: 3
# hint: The set of needed names is replaced at each line. What was needed before is still needed: add to the set.


def without_dead(lines, wanted):
    needed, kept = set(wanted), []
    for line in reversed(lines):
        if writes(line) in needed:
            kept.append(line)
            if not adds(line):
                needed.discard(writes(line))
            needed = reads(line)
    return kept[::-1]
