# replaces: seed
# loses: 1
# hint: The edge z shrinks, and with your seed it grows. How does a seed say that something shrinks?


def seed():
    return [1.0, 0.0, 2.0]
