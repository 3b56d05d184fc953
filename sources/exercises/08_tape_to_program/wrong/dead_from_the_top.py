# replaces: dead
# loses: 3
# hint: You go from the top down. Whether a line is needed depends on what stands BELOW it: start at the last
#   line.


def without_dead(lines, wanted):
    needed = set(wanted)
    for line in lines:
        if writes(line) in needed:
            needed |= reads(line)
    return [line for line in lines if writes(line) in needed]
