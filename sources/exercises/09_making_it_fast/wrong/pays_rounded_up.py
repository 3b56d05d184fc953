# replaces: pays
# loses: 2
# hint: With a whole result, rounding up is one call too few: there both totals are equal, and equal is not faster.


def pays_after(compiling, before, after):
    if after >= before:
        return math.inf
    return math.ceil(compiling / (before - after))
