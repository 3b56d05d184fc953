# replaces: pays
# loses: 2
# hint: Python divides first: compiling / before, and only then takes after away. Where do brackets belong?


def pays_after(compiling, before, after):
    if after >= before:
        return math.inf
    return math.floor(compiling / before - after) + 1
    ### END SOLUTION
