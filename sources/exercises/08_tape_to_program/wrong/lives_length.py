# replaces: lives
# loses: 2
# hint: The second number of each pair is how many lines the name lives. The NUMBER of its last line was asked for.


def lives(lines):
    out = {}
    for k, l in enumerate(lines):
        for n in reads(l) | {writes(l)}:
            if n in out:
                out[n] = (out[n][0], k - out[n][0])
            elif n == writes(l):
                out[n] = (k, 0)
    return out
