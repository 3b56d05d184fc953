# replaces: pays
# loses: 2
# hint: You count as if a call took no time afterwards. How much does one call save?


def pays_after(compiling, before, after):
    if after >= before:
        return math.inf
    return math.floor(compiling / before) + 1
