# replaces: pays
# loses: 2
# hint: If a call takes longer after compiling than before, it never pays: there is no such number of calls.
#   You ask that only for equal times.


def pays_after(compiling, before, after):
    if before == after:
        return math.inf
    return math.floor(compiling / (before - after)) + 1
