# replaces: dead
# loses: 3
# hint: Only the lines that write wanted names are left. A line that is kept needs what it reads: put these names
#   into the set.


def without_dead(lines, wanted):
    needed, kept = set(wanted), []
    for line in reversed(lines):
        if writes(line) in needed:
            kept.append(line)
            if not adds(line):
                needed.discard(writes(line))
    return kept[::-1]
