# replaces: pays
# loses: 2
# hint: A number of calls is whole. And for exactly this many both totals would be equal: which is the next whole
#   number?


def pays_after(compiling, before, after):
    if after >= before:
        return math.inf
    return compiling / (before - after)
