# replaces: dead
# loses: 3
# hint: You also keep lines that only READ a needed name. A line is needed for what it writes.


def without_dead(lines, wanted):
    needed, kept = set(wanted), []
    for line in reversed(lines):
        if writes(line) in needed or reads(line) & needed:
            kept.append(line)
            needed |= reads(line)
    return kept[::-1]
