# replaces: seed
# loses: 1
# hint: 2, 3 and 5 are the lengths of the edges. A seed says how fast they change.


def seed():
    return [2.0, 3.0, 5.0]
