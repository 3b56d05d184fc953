# replaces: pays
# loses: 2
# hint: None is not the answer: where it never pays off, math.inf was asked for.


def pays_after(compiling, before, after):
    if after >= before:
        return None
    return math.floor(compiling / (before - after)) + 1
