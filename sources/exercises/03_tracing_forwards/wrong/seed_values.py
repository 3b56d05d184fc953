# replaces: seed
# loses: 1
# hint: 2, 3 and 5 are where the edges are. A seed says how fast they move.


def seed():
    return [2.0, 3.0, 5.0]
