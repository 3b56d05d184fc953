# replaces: forward
# loses: 2
# hint: The sign is wrong: x² rises at 3, and your slope falls. Which of the two values comes first?


def forward_difference(f, x, h):
    return (f(x) - f(x + h)) / h
