# replaces: seed
# loses: 1
# hint: The volume changes too much: which of the three edges stands still, and which one shrinks? The order
#   is x, y, z.


def seed():
    return [1.0, -2.0, 0.0]
