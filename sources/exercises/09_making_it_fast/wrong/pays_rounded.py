# replaces: pays
# loses: 2
# hint: round() goes to the nearest whole number, which may be the one below or above. Which one do you need?


def pays_after(compiling, before, after):
    if after >= before:
        return math.inf
    return round(compiling / (before - after)) + 1
