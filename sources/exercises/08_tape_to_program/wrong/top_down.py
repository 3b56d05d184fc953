# replaces: dead
# loses: 3
# hint: You walk from the top down. What a line is good for stands below it: at the first line you cannot know yet who will read it.


def without_dead(lines, wanted):
    needed, kept = set(wanted), []
    for line in lines:
        if writes(line) in needed:
            kept.append(line)
            needed |= reads(line)
    return kept
