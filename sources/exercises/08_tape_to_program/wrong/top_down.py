# replaces: dead
# loses: 3
# hint: You go from the top down. Whether a line is needed depends on the lines below it: at the first line you
#   cannot know yet who will read it.


def without_dead(lines, wanted):
    needed, kept = set(wanted), []
    for line in lines:
        if writes(line) in needed:
            kept.append(line)
            needed |= reads(line)
    return kept
