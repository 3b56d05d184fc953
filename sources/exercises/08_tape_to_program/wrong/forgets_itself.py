# replaces: dead
# loses: 1
# hint: `t = t * 3` reads the old t, so the line above is needed. Take out what the line writes FIRST, then put in
#   what it reads.


def without_dead(lines, wanted):
    needed, kept = set(wanted), []
    for line in reversed(lines):
        if writes(line) in needed:
            kept.append(line)
            needed |= reads(line)
            if not adds(line):
                needed.discard(writes(line))
    return kept[::-1]
