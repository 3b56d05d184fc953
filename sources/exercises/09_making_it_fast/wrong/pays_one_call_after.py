# replaces: pays
# loses: 2
# hint: You compare with ONE call afterwards, whatever N is. N calls take N times `after`: both totals grow with N.


def pays_after(compiling, before, after):
    if after > before:
        return math.inf
    return math.floor((compiling + after) / before) + 1
