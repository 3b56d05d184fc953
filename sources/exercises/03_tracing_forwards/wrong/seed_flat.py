# replaces: seed
# loses: 1
# hint: A seed of ones asks how fast the volume changes if all edges grow by 1 per minute. How fast do they really
#   change?


def seed():
    return [1.0, 1.0, 1.0]
