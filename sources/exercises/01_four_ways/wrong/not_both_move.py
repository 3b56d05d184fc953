# replaces: beside
# loses: 2
# hint: From the second round on, y itself depends on x: its old derivative, dy, has to be kept. Is the last term, +
#   dy, there, and does `y` stand for the old y?


def value_and_slope(x, rounds):
    y, dy = 1.0, 0.0
    for _ in range(rounds):
        y, dy = x * math.sin(y) + y, math.sin(y) + x * math.cos(y) * dy
    return y, dy
