# replaces: pays
# loses: 2
# hint: If a call takes as long as before, compiling never pays off either, and the division would be by 0.


def pays_after(compiling, before, after):
    if after > before:
        return math.inf
    return math.floor(compiling / (before - after)) + 1
