# replaces: pays
# loses: 2
# hint: Where it never pays off, math.inf was asked for, and you return another number.


def pays_after(compiling, before, after):
    if after >= before:
        return -1
    return math.floor(compiling / (before - after)) + 1
