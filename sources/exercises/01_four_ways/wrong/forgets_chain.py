# replaces: beside
# loses: 2
# hint: cos(y) stands there without dy. In the first round y is still a constant, so its sine does not change at
#   all: the derivative of sin(y) is cos(y) dy.


def value_and_slope(x, rounds):
    y, dy = 1.0, 0.0
    for _ in range(rounds):
        y, dy = x * math.sin(y) + y, math.sin(y) + x * math.cos(y) + dy
    return y, dy
