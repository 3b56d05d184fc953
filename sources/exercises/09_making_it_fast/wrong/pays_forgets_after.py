# replaces: pays
# loses: 2
# hint: A call does not gain all that it took before: afterwards it still takes its time. What does one call save?


def pays_after(compiling, before, after):
    if after >= before:
        return math.inf
    return math.floor(compiling / before) + 1
